/**
 * Names that read like real ones, by culture: given names as they are given, family names whole or
 * put together from a stem and an end, as most family names once were. All follow from the
 * generator they are given.
 */
import { type Random, type Sampler, zipf } from '../shared/random.ts'

/** How people of one culture are called. */
interface Culture {
  readonly given: string
  readonly families: string
  /** Stems and ends of further family names. */
  readonly stems?: string
  readonly ends?: string
  /** Words that may stand before a family name. */
  readonly particles?: string
  /** Two given names in one, or two family names: how often. */
  readonly doubledGiven?: { readonly share: number; readonly joint: string }
  readonly doubledFamilyShare?: number
  /** The family name comes first, with this after it. */
  readonly familyFirst?: string
}

const cultures = {
  english: {
    given:
      'James Mary John Patricia Robert Jennifer Michael Linda William Elizabeth David Barbara Richard Susan Joseph Jessica Thomas Sarah Charles Karen Christopher Nancy Daniel Lisa Matthew Margaret Anthony Sandra Mark Ashley Donald Kimberly Steven Emily Paul Donna Andrew Michelle Joshua Carol',
    families:
      "Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Hall Clarke Jackson O'Brien O'Connor McCarthy MacDonald",
    stems:
      'Ash Brad Black Carl Chad Clif Cran Dal Ed East Fair Green Hal Har Hart Hol Kirk Lang Mar Mil Nor Ot Pem Rad Red Rock Shel Stan Strat Sut Thorn Wake Wal Wes Whit Wood',
    ends: 'ford ton ley field wood wick worth well man ham brook by shaw stone',
  },
  french: {
    given:
      'Jean Marie Pierre Michèle André Françoise Philippe Monique René Hélène Bernard Jacqueline Étienne Cécile Gérard Amélie Frédéric Chloé Loïc Noémie Benoît Maëlle Rémi Anaïs Jérôme Zoé',
    families:
      'Martin Bernard Dubois Lefèvre Moreau Girard Bonnet Lambert Fontaine Rousseau Garnier Chevalier Faure Gauthier Perrin Clément Guérin Müller Besançon',
    stems: 'Beau Bel Bois Char Clair Cour Des Du Fon Gran Haut Mal Mont Pré Rou Sau Val Ver',
    ends: 'champs court mont ville val lieu marais rieux pré ton fort chesne bert gnon',
    doubledGiven: { share: 0.15, joint: '-' },
    particles: 'de Le La',
  },
  german: {
    given:
      'Hans Ursula Jürgen Käthe Günter Renate Wolfgang Helga Klaus Ingrid Dieter Monika Jörg Brigitte Rüdiger Sabine Matthias Anke Götz Bärbel Torsten Katja Björn Frauke Uwe Silke',
    families:
      'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Köhler Krüger Böhm Groß Weiß Jäger Vogt Pfeiffer',
    stems:
      'Acker Berg Birken Blumen Brand Buch Eber Eichen Franken Grün Habers Hirsch Kirch Linden Mühl Neu Ober Rosen Schön Stein Stern Tannen Wald Weiden Zimmer',
    ends: 'bauer berg feld hardt heim hof mann müller roth stein thal bach meier',
    particles: 'von',
  },
  spanish: {
    given:
      'José María Antonio Carmen Manuel Josefa Francisco Isabel Jesús Dolores Ángel Pilar Raúl Inés Óscar Lucía Álvaro Beatriz Iván Begoña Andrés Rocío Joaquín Montserrat',
    families:
      'García Fernández Martínez Sánchez Pérez Gómez Jiménez Díaz Álvarez Núñez Ibáñez Muñoz Peña Ordóñez Cortés Vázquez',
    stems: 'Agui Alca Arro Bena Cala Carra Esco Fonta Gra Hino Mira Monte Quinta Riva Sala Villa',
    ends: 'rre nal vente vides ñez mar nueva verde josa llo rubia longa seca lobos',
    particles: 'de la',
    doubledFamilyShare: 0.35,
  },
  portuguese: {
    given:
      'João Ana António Conceição José Luísa Luís Graça Gonçalo Inês Tomé Leonor Estêvão Beatriz Simão Margarida Caetano Helena Vinícius Aparecida Thiago Letícia',
    families:
      'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Sousa Araújo Gonçalves Magalhães Guimarães Leitão Simões Falcão Brandão',
    stems: 'Aze Bar Cam Carva Fi Ma Mo Noguei Pi Quei Ro Sal Se Tei Vas',
    ends: 'vedo bosa pos lho gueira galhães reira ra nheiro rós drigues danha queira xeira concelos',
    particles: 'da',
    doubledFamilyShare: 0.25,
  },
  italian: {
    given:
      'Giuseppe Maria Giovanni Anna Antonio Rosa Nicolò Giulia Francesco Chiara Lorenzo Francesca Matteo Silvia Davide Ilaria Gianluca Beatrice Raffaele Ornella Ettore Fiorella',
    families:
      'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Conti Giordano Mancini Barbieri Moretti Fontana Santoro',
    stems: 'Ales Bal Bene Bran Cap Casta Donna Ghi Gual Lombar Maggio Monta Pelle Sca Taglia Vis',
    ends: 'andri detti gnini lacci lotti naro rdini randi relli tieri vani zzini',
    particles: 'De Di',
  },
  polish: {
    given:
      'Jan Małgorzata Paweł Agnieszka Michał Łucja Stanisław Bożena Łukasz Grażyna Wojciech Żaneta Grzegorz Elżbieta Bogusław Jadwiga Mieczysław Halina Przemysław Danuta',
    families: 'Nowak Wójcik Woźniak Mazur Krawczyk Zając Król Wróbel Dudek Pająk Gołąb Śliwa',
    stems:
      'Adam Brzeziń Chmiel Dąbrow Gór Jabłoń Kamiń Kowal Kwiatkow Lewandow Majew Ostrow Piotrow Różań Sikor Szymań Wiśniew Wyszyń Zieliń Żurow',
    ends: 'ski czyk ek owicz icki iak',
  },
  nordic: {
    given:
      'Lars Ingrid Åke Kerstin Søren Mette Jørgen Kirsten Bjørn Solveig Håkan Gunilla Øystein Ragnhild Göran Birgitta Torbjörn Åsa Magnus Sigrid Anders Astrid',
    families:
      'Hansen Jensen Nielsen Johansson Andersson Karlsson Sørensen Rasmussen Jørgensen Østergaard Ødegård Åberg Öberg',
    stems:
      'Berg Björk Blom Dal Ek Eng Fors Gran Hag Hed Holm Kvist Lind Lund Nord Rosen Sjö Strand',
    ends: 'gren ström qvist lund berg dahl vik mark stad man stedt',
  },
  dutch: {
    given:
      'Jan Johanna Pieter Cornelia Willem Geertruida Hendrik Saskia Joost Marijke Gijs Femke Sjoerd Annelies Bastiaan Liesbeth Ruben Mieke',
    families: 'Bakker Visser Smit Mulder Bos Vos Peters Hendriks Dekker Brouwer Jansen Kuijpers',
    stems:
      'Berg Bos Broek Dijk Eik Groen Haar Kool Linden Meer Oost Rijn Schuur Veld Wal West Zand',
    ends: 'huizen man sma stra kamp hof veld horst donk wijk',
    particles: 'van|van der|van den|de',
  },
  hungarian: {
    given:
      'István Zsuzsanna György Erzsébet László Ilona Zoltán Mária Béla Judit Ödön Piroska Sándor Éva Győző Csilla Kálmán Tünde',
    families: 'Nagy Kovács Tóth Szabó Horváth Kiss Molnár Németh Farkas Balogh Őri Szűcs Fehér',
    stems: 'Bánfal Debrece Gyulaf Kecsk Miskol Nyír Pápa Rákos Somog Szeged Szent Vásár',
    ends: 'vi ni eméti ci egyházi hegyi yi helyi falvi mezei',
  },
  turkish: {
    given:
      'Mehmet Ayşe Mustafa Fatma Çağlar Özlem İbrahim Şule Oğuz Gülşen Ömer Çiğdem Yiğit Tuğba Hüseyin Zeynep Görkem Işıl',
    families: 'Yılmaz Şahin Çelik Öztürk Kılıç Arslan Doğan Aslan Çetin Koç Kurt Özdemir Şimşek',
    stems: 'Ak Altın Bay Demir Er Gök Güm Kara Kaya Öz Sarı Taş Ulu Yıldı Yurt',
    ends: 'soy oğlu türk kan demir gül han taş bulut alp rım er',
  },
  vietnamese: {
    given:
      'Văn Thị Đức Minh Hữu Ngọc Quang Thanh Xuân Bích Đình Hồng Công Thu Anh Tuấn Hương Dũng Phượng Khánh',
    families: 'Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đoàn Trịnh',
    doubledGiven: { share: 0.9, joint: ' ' },
    familyFirst: ' ',
  },
  indian: {
    given:
      'Rajesh Sunita Amit Priya Sanjay Anjali Vikram Deepika Suresh Lakshmi Arjun Kavita Rahul Meena Anand Pooja Venkatesh Shreya Manoj Radhika',
    families: 'Sharma Patel Singh Gupta Kumar Reddy Iyer Nair Banerjee Mukherjee Desai Joshi Mehta',
    stems:
      'Agar Bhatta Chakra Chandra Deva Jaya Krishna Maha Nara Pada Raja Rama Subra Venka Vishwa',
    ends: 'wal charya borty shekhar ram raman murthy jan yanan manabhan gopalan kumar manian nathan',
  },
  yoruba: {
    given:
      'Adebayo Folasade Oluwaseun Yetunde Babatunde Ngozi Chinedu Adaeze Emeka Ifeoma Kayode Temitope Obinna Bukola Segun Amaka',
    families: 'Okafor Adeyemi Okonkwo Balogun Eze Nwosu Adebisi Olawale Afolabi Onyeka',
    stems: 'Ade Aki Ayo Chu Ige Obi Oke Ola Olu Omo Onu Uche Uzo',
    ends: 'bayo bode dele femi kunle ndu niyi nola ora rinde tola wole yinka',
  },
  russian: {
    given:
      'Александр Елена Сергей Ольга Дмитрий Наталья Андрей Татьяна Алексей Ирина Михаил Светлана Владимир Мария Николай Екатерина Юрий Людмила Фёдор Ксения',
    families: 'Иванов Смирнов Кузнецов Попов Соколов Лебедев Новиков Морозов Ковалёв Соловьёв',
    stems:
      'Алекс Бел Верш Воробь Голуб Гром Денис Ерм Жар Зайц Звяг Ильин Кар Лап Медвед Ник Орл Пан Рож Сав Тимоф Ушак Фомич Черн Шуб Юд',
    ends: 'ов ев ин ский енко ецкий аков унов',
  },
  ukrainian: {
    given:
      'Олександр Оксана Андрій Наталія Сергій Ірина Богдан Соломія Тарас Ярослава Юрій Леся Остап Галина Євген Уляна',
    families: 'Шевченко Бондаренко Ткаченко Кравченко Олійник Лисенко Їжакевич Гнатюк',
    stems: 'Бойч Вас Гавр Дем Захар Кирил Левч Мельн Остап Петр Роман Стец Тимош Федор Яким',
    ends: 'енко ук ишин ак ович івський ець',
  },
  greek: {
    given:
      'Γεώργιος Μαρία Ιωάννης Ελένη Κωνσταντίνος Κατερίνα Δημήτριος Βασιλική Νικόλαος Σοφία Παναγιώτης Αγγελική Χρήστος Γεωργία Σπύρος Ευαγγελία',
    families: 'Παπαδόπουλος Βλάχος Αγγελίδης Νικολαΐδης Γεωργίου Δημητρίου Οικονόμου Ράλλης',
    stems: 'Αντων Βασιλ Γιανν Δημ Θεοδωρ Κωνσταντιν Μαυρ Μιχαλ Παπα Σταυρ Στεφαν Χατζη Χριστ',
    ends: 'όπουλος άκης ίδης ιάδης έλλης άτος ούδης άς',
  },
  arabic: {
    given:
      'محمد فاطمة أحمد عائشة علي مريم حسن زينب يوسف نور خالد ليلى عمر سارة إبراهيم هدى مصطفى سلمى طارق رانيا',
    families:
      'المصري الحسيني الخطيب حداد نجار الأنصاري السعيد العلي منصور الشامي البغدادي القاسم حمدان الزهراني الغامدي الحربي عثمان صالح النمر درويش الكيلاني الفارسي',
    stems: 'القاه البصر الدمش الحل الكوف النابل الصفد المغر الطرابل الموصل العراق اليمان',
    ends: 'ري قي بي سي لي اني اوي دي',
  },
  hebrew: {
    given: 'דוד רחל משה שרה יוסף רבקה אברהם לאה יעקב חנה שמואל מרים אורי נועה איתן תמר יונתן',
    families: 'כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן מלכה אזולאי שפירא בן־דוד',
    stems: 'גולד רוזן זילבר פרי וינ הורו שטיינ ברנ אייז קופר',
    ends: 'ברג שטיין מן פלד בוים ביץ טל שוורץ',
  },
  thai: {
    given: 'สมชาย สมหญิง วิชัย มาลี ประยุทธ์ สุดา ธนากร อรทัย กิตติ พรทิพย์ ณัฐวุฒิ ศิริพร อนุชา จันทรา วรวิทย์ นภา',
    families: 'จันทร์แก้ว ทองดี ศรีสุข บุญมา วงศ์สวัสดิ์ แสงทอง',
    stems: 'จันทร์ ทอง ศรี บุญ วงศ์ แสง สุข เจริญ รัตน์ พงษ์ อมร ชัย',
    ends: 'กุล พันธ์ ไพศาล วัฒนา สมบูรณ์ มณี รักษ์ เดช',
  },
  chinese: {
    given:
      '伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 涛 明 超 秀 霞 平 刚 桂 英 华 慧 建 文 国 志 海 玲 鹏 宇 浩 欣 怡 梓 涵 子 轩 雨 晨 佳 俊 婷 雪 思 嘉 晓 红 春',
    families:
      '王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗 梁 宋 郑 谢 韩 唐 冯 于 董 萧 程 曹 袁 邓 许 傅 沈 曾 彭 吕 欧阳 司马',
    doubledGiven: { share: 0.8, joint: '' },
    familyFirst: '',
  },
  japanese: {
    given:
      '翔太 陽菜 健一 美咲 大輔 結衣 拓海 葵 蓮 さくら 悠斗 明日香 誠 恵子 直樹 由美子 浩 真理 ケンジ ひろみ',
    families: '佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 松本 井上 木村',
    stems: '山 川 田 森 石 村 松 竹 梅 長 北 南 西 東 大 小 上 下',
    ends: '田 川 本 村 井 山 野 島 崎 原 口 沢',
    familyFirst: '',
  },
  korean: {
    given:
      '민준 서연 도윤 지우 예준 서윤 시우 하은 주원 민서 지호 수아 준서 지민 현우 유나 은지 태현 소영 성민',
    families: '김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 홍 남궁',
    familyFirst: '',
  },
  hindi: {
    given: 'राजेश सुनीता अमित प्रिया संजय अंजलि विक्रम दीपिका सुरेश लक्ष्मी अर्जुन कविता राहुल मीना',
    families: 'शर्मा पटेल सिंह गुप्ता कुमार मिश्रा वर्मा यादव चौधरी त्रिपाठी जोशी मेहता',
    stems: 'अग्र भट्ट चन्द्र देव जय कृष्ण महा राम श्री',
    ends: 'वाल नाथ शेखर कर पाल मूर्ति राज दास',
  },
} as const satisfies Readonly<Record<string, Culture>>

/** One of the cultures. */
export type CultureName = keyof typeof cultures

/** Every culture there is. */
export const cultureNames = Object.keys(cultures) as readonly CultureName[]

/** Given names follow Zipf's law, family names nearly none: half of them are put together. */
const givenExponent = 0.6

/** Draws names of a culture. */
export class Names {
  readonly #ranks = new Map<number, Sampler>()

  /** A full name, as its bearer would write it. */
  draw(random: Random, name: CultureName): string {
    const culture: Culture = cultures[name]
    const given = this.#givenName(random, culture)
    const family = this.#familyName(random, culture)
    const { familyFirst } = culture
    return familyFirst === undefined ? `${given} ${family}` : `${family}${familyFirst}${given}`
  }

  #givenName(random: Random, { given, doubledGiven }: Culture): string {
    const names = given.split(' ')
    const draw = () => names[this.#ranksOf(names.length).draw(random)]!
    const first = draw()
    if (doubledGiven === undefined || !random.chance(doubledGiven.share)) return first
    return `${first}${doubledGiven.joint}${draw()}`
  }

  #familyName(random: Random, culture: Culture): string {
    const { particles, doubledFamilyShare = 0 } = culture
    const family = this.#oneFamily(random, culture)
    if (random.chance(doubledFamilyShare)) return `${family} ${this.#oneFamily(random, culture)}`
    if (particles === undefined || !random.chance(0.08)) return family
    const choice = particles.includes('|') ? particles.split('|') : [particles]
    return `${random.pick(choice)} ${family}`
  }

  #oneFamily(random: Random, { families, stems, ends }: Culture): string {
    if (stems === undefined || ends === undefined || random.chance(0.3)) {
      return random.pick(families.split(' '))
    }
    return random.pick(stems.split(' ')) + random.pick(ends.split(' '))
  }

  #ranksOf(count: number): Sampler {
    const ranks = this.#ranks.get(count) ?? zipf(count, givenExponent)
    this.#ranks.set(count, ranks)
    return ranks
  }
}
