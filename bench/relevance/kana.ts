/**
 * Names in kana, which faker has hardly any of: Japanese ones in Hiragana, as authors and singers write
 * theirs, and those of foreigners in Katakana, with a dot between the given name and the family name.
 */
import type { Random } from '../../test/support/random.ts'

const words = (line: string) => line.split(' ')

const families = words(
  'さとう すずき たかはし たなか いとう わたなべ やまもと なかむら こばやし かとう よしだ やまだ ささき やまぐち ' +
    'まつもと いのうえ きむら はやし しみず やまざき もり あべ いけだ はしもと いしかわ おがわ まえだ おかだ はせがわ ' +
    'ふじた ごとう こんどう むらかみ えんどう あおき さかもと ふくだ おおた にしむら ふじい かねこ おかもと ふじわら みうら',
)
const givens = words(
  'あい あおい あかね あきこ あすか あゆみ いずみ えみ えり かおり かなこ かなえ くみこ けいこ さおり さくら さちこ さとみ ' +
    'しおり すみれ たえこ ちえ ちひろ つばさ ともこ なおみ なつき のぞみ はるか ひかり ひなた ひろし ひろみ ふみこ まさる ' +
    'まなみ まゆみ みさき みどり みゆき めぐみ ももこ ゆうこ ゆかり ゆきえ よしこ りえこ るみ れいこ わかな たろう けんじ',
)
const foreignGivens = words(
  'ジョン マイケル デイビッド ロバート ウィリアム ジェームズ トーマス ダニエル マーク ポール スティーブン アンドリュー ' +
    'ピーター ニコラス クリストファー アレクサンダー フランソワ ハンス カルロス アンナ マリア エリザベス ジェニファー サラ ' +
    'エミリー ローラ ジュリア クリスティーナ ソフィー シャルロット イザベル カタリーナ エレーナ ナターシャ グレース ヘレン',
)
const foreignFamilies = words(
  'スミス ジョンソン ウィリアムズ ブラウン ジョーンズ ミラー デイビス ウィルソン アンダーソン テイラー トンプソン ホワイト ' +
    'マーティン ガルシア マルティネス ロビンソン クラーク ロドリゲス ルイス ウォーカー ヤング シュミット シュナイダー ' +
    'フィッシャー ウェーバー ワーグナー ベッカー デュポン モロー ロッシ フェラーリ エスポジト イワノフ ペトロフ コワルスキー',
)

/** A name in Hiragana or in Katakana. */
export function kanaName(random: Random): string {
  return random.chance(0.5)
    ? `${random.pick(families)}${random.pick(givens)}`
    : `${random.pick(foreignGivens)}・${random.pick(foreignFamilies)}`
}
