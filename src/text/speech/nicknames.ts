/**
 * Short forms of given names, both ways: a person may be called by either. They never apply to family
 * names. Of the 340 pairs, 274 also stand in names.csv of github.com/carltonnorthern/nicknames (Apache-2.0,
 * commit 21d7505; compared, not copied). The other 66 are in by rule: a clipping of the full name (Kate,
 * Izzy, Xander), its usual diminutive in English, Spanish, Russian or German (Robbie, Paco, Misha, Willi),
 * or the other spelling of a form that the list has (Terri, Suzy).
 *
 * Invariant: a pair is in because adults in public life use it, never because a query needs it.
 */

/** A given name, then its short forms. */
const table = `
abigail abby
abraham abe
albert al bert
alexander alex alec sandy sasha xander
alexandra alex sandra sasha
alfred al fred alf
allan al
amanda mandy
andrew andy drew
angela angie
anthony tony
antonio tony
arthur art
barbara barb babs
bartholomew bart
benedict ben
benjamin ben benny
bernard bernie barney
beverly bev
bradley brad
calvin cal
cameron cam
carolyn carrie lyn
catherine cathy kate katie kitty cath
charles charlie chuck chas
charlotte lottie
christian chris
christina chris tina christy
christine chris christy
christopher chris kit topher
clarence clare
clifford cliff
clinton clint
constance connie
cornelius neil
curtis curt
cynthia cindy
daniel dan danny
david dave davey
deborah deb debbie debby
dennis denny
dianne di
dolores lola
dominic dom nick
donald don donnie
dorothy dot dottie dolly
douglas doug
edgar ed
edmund ed eddie ned ted
edward ed eddie ned ted teddy
edwin ed eddie
eleanor ellie nell nora
elizabeth liz beth betsy betty eliza lizzie libby bess lisa elise
emily em emmy
eugene gene
ezekiel zeke
frances fran frankie
francis frank
francisco paco pancho cisco
frederick fred freddie freddy
gabriel gabe
geoffrey geoff jeff
gerald gerry jerry
gerard gerry
gilbert gil
gregory greg
gwendolyn gwen
harold harry hal
harrison harry
helen nell
henry hank harry hal
herbert herb bert
howard howie
ignacio nacho
irving irv
isaac ike
isabella bella izzy
jacob jake
jacqueline jackie
james jim jimmy jamie
janet jan
jeffrey jeff
jennifer jen jenny
jeremiah jerry
jerome jerry
jessica jess jessie
joanna jo
john jack johnny jock
jonathan jon jonny
jose pepe
joseph joe joey
josephine jo josie
joshua josh
judith judy
juan juanito
katherine kathy kate katie kay kat
kathleen kathy kate katie
kenneth ken kenny
kimberly kim
laurence larry
lawrence larry
leonard leo len lenny
leopold leo
leroy roy
lewis lew
lillian lil lilly
louis lou louie
lucille lucy
luis lucho
madeleine maddie
manuel manny
marcus marc mark
margaret maggie meg peggy marge margie greta rita
marjorie marge
martin marty
mary molly polly mamie
matilda tilda tilly
matthew matt
maurice morris
maximilian max
melissa missy
melvin mel
michael mike mick mickey
miguel mike
mikhail misha
mitchell mitch
mohammed mo
montgomery monty
nancy nan
natalia natasha
natalie nat
nathan nate nat
nathaniel nate nat
nicholas nick nicky
nikolai kolya
norman norm
oliver ollie
pamela pam
patricia pat patty trish tricia
patrick pat paddy
penelope penny
peter pete
philip phil
phillip phil
priscilla cilla
rafael rafa
randall randy
randolph randy
raymond ray
rebecca becky becca
reginald reg reggie
richard dick rick ricky rich richie
robert bob bobby rob robbie bert
roberto beto
roderick rod
rodney rod
roger rodge
ronald ron ronnie
rosemary rosie
rudolph rudy
russell russ
samantha sam
samuel sam sammy
sebastian seb
sergei seryozha
sheldon shelly
shirley shirl
sidney sid
sigmund ziggy
solomon sol
stanley stan
stephanie steph
stephen steve stevie
steven steve stevie
stewart stu
stuart stu
susan sue susie suzy
suzanne sue suzy
sylvester sly
teresa terri terry tess
terence terry
theodore ted teddy theo
theresa terri terry tess
thomas tom tommy
timothy tim timmy
tobias toby
valerie val
victor vic
victoria vicky tori
vincent vince vinny
virginia ginny
vladimir volodya vova
walter walt wally
wilfred will fred
wilhelm willi
william bill billy will willie willy liam
winston winnie
woodrow woody
yevgeny zhenya
zachary zach zack
`

const others = new Map<string, Set<string>>()
for (const line of table.trim().split('\n')) {
  const [full = '', ...short] = line.split(' ')
  for (const each of short) {
    add(full, each)
    add(each, full)
  }
}

function add(name: string, other: string): void {
  const known = others.get(name)
  if (known === undefined) others.set(name, new Set([other]))
  else known.add(other)
}

const none: ReadonlySet<string> = new Set()

/** Other forms of a given name, as the analyzer spells them: the full one of a short one, or the short ones. */
export function otherForms(given: string): ReadonlySet<string> {
  return others.get(given) ?? none
}
