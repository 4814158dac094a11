/**
 * Words that people type around what they mean, in the languages of most users: the one table of them,
 * each line with its reason. Such a word may stand beside a name or a topic and be left out; it is never
 * taken out of the middle of one.
 */
import { fold } from '../analyzer.ts'

/** The condition on the other words for leaving one out: none; a person or a topic; a topic; a person. */
export type Aside = 'asks' | 'about' | 'practises' | 'title'

/** Kind, reason, words. */
const table = `
asks | question words | who whom whose what which where when why how whats whos
asks | verbs that a question begins with | is are was were be been do does did can could would should shall might has have had
asks | who asks, and who is asked | i we you me my our your it he she they them anybody anyone somebody someone everybody everyone
asks | verbs of looking for | find finding show tell give get search searching look looking lookup want need know knows known knowing like recommend suggest follow read hear listen learn meet talk speak ask hire think help helps teach teaches explain explains advise understand understands experienced skilled regarding concerning working specialized specialising specializing interested deal deals
asks | verbs of a life and a work | died discover discovered invent invented write wrote written studied happened
asks | courtesy | please pls thanks thank hello hi hey dear kindly sorry ok
asks | praise that a list is asked with | best top good great leading famous notable prominent important influential main key
asks | what is listed | people person persons list names name some any all time times more something experts expert authority authorities voice voices folks
asks | what holds a sentence together | a an the of on in at to for from by with about and or as if there here this that these those into up not
asks | stress | really actually exactly currently now today new latest ever just also
about | what is asked of a person | wife husband spouse partner father son daughter birthday birthplace birth death nationality height weight salary income wealth networth phone telephone number email mail address office speech speeches lecture lectures book books paper papers publications podcast video videos photo photos picture pictures portrait quote tweets threads tiktok telegram whatsapp reddit bluesky pdf online official
about | what is asked of a person | info information details facts bio bios biography profile website homepage site page blog contact email twitter facebook instagram youtube linkedin github mastodon wikipedia wiki account handle age job work works career news cv resume colleagues quotes interview
practises | who practises a field | developer developers engineer engineers programmer programmers coder coders specialist specialists practitioner practitioners professional professionals scholar scholars researcher researchers scientist scientists leader leaders guru gurus influencer influencers consultant consultants community team field area topic
asks | question words, Spanish | quien quienes que cual cuales donde como es son era
asks | verbs of looking for, Spanish | buscar busco buscando busca sabe saben saber conoce conocen hace dime muestrame encontrar quiero necesito ayuda recomienda alguien quisiera encuentra entiende
asks | lists, praise, courtesy, Spanish | informacion sobre acerca mejores mejor principales expertos experto expertas experta especialistas especialista personas gracias hola favor
asks | what holds a sentence together, Spanish | el la los las un una de del en y o a por para con al se
asks | question words, French | qui que quoi quel quelle quels quelles ou comment est sont etait ce cest donc
asks | verbs of looking for, French | cherche chercher cherchons trouver trouve connait connaissent connaitre sait parlez parle moi montre montrez fait je veux besoin aide conseille quelquun recommande propos voudrais
asks | lists, praise, courtesy, French | meilleurs meilleur meilleures meilleure experts expertes specialistes specialiste personnes gens infos merci bonjour salut plait
asks | what holds a sentence together, French | le la les un une des du de dans sur pour par avec et au aux en qu
asks | question words, German | wer wen wem was wo wie welche welcher welches ist sind war denn
asks | verbs of looking for, German | suche suchen sucht finde finden zeige zeig kennt kennen weiss macht machen mir ich sich aus gibt es brauche hilft empfiehl empfehlt kenne auskennt jemand jemanden beschaftigt weiss
asks | lists, praise, courtesy, German | besten beste bester fuehrende experten experte expertin expertinnen fachleute spezialisten leute personen informationen bitte danke hallo
asks | what holds a sentence together, German | der die das den dem des ein eine einen fur fuer uber ueber zu zum zur im in an am auf von vom mit und oder bei
asks | question words, Portuguese | quem qual quais onde sao foi o que e
asks | verbs of looking for, Portuguese | procuro procurar procura entende entendem conhece conhecem faz mostre encontrar quero preciso ajuda recomenda alguem sabe encontre
asks | lists, praise, courtesy, Portuguese | informacoes melhores melhor principais especialistas pessoas obrigado obrigada ola
asks | what holds a sentence together, Portuguese | os as um uma do da dos das no na nos nas em para por com ao
asks | question words, Italian | chi cosa che quale quali dove sono era
asks | verbs of looking for, Italian | cerco cercare cerca conosce conoscono sa fa mostrami trova trovare voglio parlami bisogno aiuto consiglia qualcuno riguardo vorrei capisce
asks | lists, praise, courtesy, Italian | informazioni migliori migliore principali esperti esperto esperta specialisti persone grazie ciao favore
asks | what holds a sentence together, Italian | il lo gli i le un uno una di del dello della dei degli delle nel nella su sul sulla per con ed al
asks | verbs of a life and a work, Spanish | fue fueron nacio murio vivio nacido muerto descubrio invento escribio pinto anos edad vive trabaja biografia vida obra obras libros mujer esposa esposo hizo tiene dijo
asks | verbs of a life and a work, French | etait fut ne nee mort morte decede vivait decouvert invente ecrit peint peinture ans travaille biographie vie oeuvre oeuvres livres femme ete quand
asks | verbs of a life and a work, German | waren wurde wird lebt lebte geboren gestorben starb entdeckt entdeckte erfunden erfand schrieb geschrieben gemalt alt heisst hatte eigentlich genau heute biografie biographie lebenslauf leben werke bucher frau telefonnummer adresse denn
asks | verbs of a life and a work, Portuguese | nasceu morreu viveu descobriu inventou escreveu pintou idade anos vive trabalha biografia vida obra obras livros mulher marido
asks | verbs of a life and a work, Italian | nato nata morto morta nacque mori visse scoperto scopri inventato ha scritto dipinto anni eta lavora biografia opere libri moglie marito
asks | question words and verbs, Russian | кто что такой такая такое такие где когда как какой какая какие почему зачем сколько был была были есть это про о об обо в во на и для по из расскажи найди найти ищу покажи написал написала открыл открыла изобрел изобрела родился родилась умер умерла живет лет биография эксперт эксперты специалист специалисты по лучшие известные
asks | question words and verbs, Ukrainian | хто що такий де коли як який яка чому скільки був була є це про у та знайди знайти шукаю написав винайшов народився помер біографія експерт експерти
asks | question words and verbs, Greek | ποιος ποια ποιο ποιοι τι που ποτε πως γιατι ηταν ειναι ο η το οι τα του της των στο στη για και με γεννηθηκε πεθανε εγραψε βιογραφια
asks | question words and verbs, Arabic | من هو هي هم ما ماذا أين كيف لماذا كان كانت عن في ولد مات كتب خبير خبراء
asks | question words and verbs, Hebrew | מי מה הוא היא איפה מתי איך למה היה הייתה על של
asks | question words and verbs, Turkish | kimdir kimdi nerede kac yasinda hakkinda hayati biyografi biyografisi uzman uzmanlari
asks | question words and verbs, Polish | kto jest byl byla gdzie kiedy jaki jaka dlaczego ile eksperci ekspert znajdz szukam biografia urodzil zmarl napisal
asks | question words and verbs, Dutch | wie wat waar wanneer hoe welke is zijn waren over van de het voor zoek zoeken vind kent weet geboren overleden oud deskundige deskundigen biografie beste
title | titles, Russian and Ukrainian | господин госпожа доктор профессор академик президент сенатор министр пан пані
title | courtesy of movements and crafts | comrade maestro sensei
title | courtesy and academic titles, English | mr mrs ms miss mx sir dame lord lady madam dr doctor prof professor phd md mba jr sr sta sto esq hon honorable honourable rev reverend former ex acting late prime vice
title | titles, German | herr frau doktor professorin dipl ing med
title | titles, French | m mme mlle monsieur madame mademoiselle docteur professeur maitre
title | titles, Spanish | senor senora senorita sra srta don dona doctora dra profesor profesora ing lic
title | titles, Portuguese | senhor senhora doutor doutora professora
title | titles, Italian | signor signora signorina sig dott dottor dottore dottoressa professore professoressa avv
`

/** Titles of offices, with the words by which a record says that somebody holds it. */
const officeTable = `
senator | sen senator senador senadora senateur senatore senatorin
representative | rep representative congressman congresswoman congressperson diputado depute
governor | gov governor gobernador gouverneur
president | pres president presidente prasident prasidentin
vice | vp
minister | pm premier minister ministro ministra ministre ministerin
chancellor | chancellor kanzler kanzlerin
secretary | secretary sec
mayor | mayor
ambassador | amb ambassador
judge | judge
justice | justice
speaker | speaker
delegate | delegate del
commissioner | commissioner
general | general gen
colonel | colonel col
captain | captain capt
admiral | admiral
major | major
lieutenant | lt
sergeant | sgt
pope | pope papa papst
cardinal | cardinal
bishop | bishop
archbishop | archbishop
priest | father
saint | saint st mother
king | king
queen | queen
emperor | emperor tsar
empress | empress
prince | prince
princess | princess
sheikh | sheikh
imam | imam
rabbi | rabbi
duke | duke
baron | baron
count | count
executive | ceo
technology | cto
chair | chairman chairwoman chair
coach | coach
chef | chef
`

const offices = new Map<string, string>()
for (const line of officeTable.trim().split('\n')) {
  const [office = '', titles = ''] = line.split(' | ')
  for (const title of titles.split(' ')) offices.set(title, office)
}

const asides = new Map<string, Aside>()

for (const line of table.trim().split('\n')) {
  const [kind, , words = ''] = line.split(' | ')
  for (const word of fold(words).split(' ')) {
    if (!asides.has(word)) asides.set(word, kind as Aside)
  }
}
for (const title of offices.keys()) if (!asides.has(title)) asides.set(title, 'title')

/** The kind of aside of a word, as the analyzer spells it; undefined for any other word. */
export function asideOf(word: string): Aside | undefined {
  return asides.get(word) ?? (word.length <= 3 && /^\d+$/.test(word) ? 'asks' : undefined)
}

/** The word by which records say that somebody holds the office of a title; undefined for courtesy. */
export function officeOf(title: string): string | undefined {
  return offices.get(title)
}

/** Particles and phrases of scripts without spaces, before and behind what is meant; the longest first. */
const before = `
Chinese: please tell me; who is; who understands; find | 请问, 請問, 谁是, 誰是, 谁懂, 誰懂, 谁知道, 寻找, 查找, 关于, 關於, 介绍, 介紹
Japanese and Korean: who is | 誰が, 누가
`
const behind = `
Chinese: who is it; experts; in which field; introduction | 是什么人, 是什麼人, 是谁, 是誰, 的专家, 的專家, 领域专家, 专家, 專家, 的介绍, 先生, 女士, 教授, 博士
Japanese: who is; about; called; an expert; well versed in; Mr, Ms | とは誰ですか, は誰ですか, とは誰, は誰, って誰, 誰ですか, について教えて, について, に関する人, に詳しい人, に詳しい, に強い人, の専門家, 専門家, さん, 様, 氏, 先生, とは, の人
Korean: who is; about; an expert; Mr, Ms | 은 누구인가요, 는 누구인가요, 은 누구, 는 누구, 이 누구, 누구인가요, 누구예요, 누구야, 누구입니까, 누구지, 누구, 에 대해, 에 대하여, 에 관한, 전문가, 씨, 님, 은, 는, 이란, 란
`

/** The particles of a table, the longest first. */
function particlesOf(lines: string): string {
  const all = lines
    .trim()
    .split('\n')
    .flatMap((line) => line.split(' | ')[1]!.split(', '))
  return all.sort((a, b) => b.length - a.length).join('|')
}

const particles = [
  new RegExp(`^(?:${particlesOf(before)})\\s*`, 'u'),
  new RegExp(`\\s*(?:${particlesOf(behind)})[\\s?？。！!]*$`, 'u'),
]
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** More particles than a text has. */
const particlesMax = 4

/** A text without the particles of Chinese, Japanese and Korean around it; not if nothing were left. */
export function withoutParticles(text: string): string {
  if (!unspaced.test(text)) return text
  let rest = text.replace(/[?？。！!]+\s*$/u, '').trim()
  for (let taken = 0; taken < particlesMax; taken += 1) {
    const shorter = particles.reduce((each, particle) => each.replace(particle, ''), rest).trim()
    if (shorter === rest || shorter === '') break
    rest = shorter
  }
  return rest
}

const contraction = /(?<=\p{L})['’](?:s|re|ll|ve|d|m)(?!\p{L})/giu
const elision = /(?<!\p{L})(?:l|d|c|j|n|s|m|t|qu|dell|all|nell|sull|un)['’](?=\p{L})/giu

/** A text without `'s`, `'re` and the like, and then without what French and Italian elide: as many as differ. */
export function uncontracted(text: string): readonly string[] {
  if (!/['’]/.test(text)) return [text]
  const full = text.replace(contraction, ' ')
  return [...new Set([full, full.replace(elision, ' ')])]
}

/** Party and state behind a name, as the American press writes them: (R-ME), D-Calif. */
const partyAndState =
  /[\s,]+(?:\([RDI][-–][A-Z][A-Za-z]{0,4}\.?(?:-\d{1,2})?\)|[RDI]-[A-Z]{2}(?:-\d{1,2})?(?!\S))/gu
/** Questions of two words of which one is a name, too: Polish. */
const asking = /^\s*kim (?:jest|by[lł]a?)\s/iu

/** A text without what is written beside names in a form of its own. */
export function withoutForms(text: string): string {
  return text.replace(partyAndState, ' ').replace(asking, '')
}
