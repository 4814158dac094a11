/**
 * Short forms of given names, both ways: a person may be called by either. They never apply to family
 * names. Of the 783 pairs of one language, 384 also stand in names.csv of github.com/carltonnorthern/nicknames (Apache-2.0,
 * commit 21d7505; compared, not copied), which is a list of English names. The others are in by rule: a clipping
 * of the full name (Kate, Izzy, Lalo), its usual diminutive in the language of the line (Robbie, Paco, Beppe,
 * Fritz, Misha), or the other spelling of a form that the list has (Terri, Suzy).
 * Lines of other languages have one given name as several languages write it (Friedrich, Frederick).
 *
 * Invariant: a pair is in because adults in public life use it, never because a query needs it.
 */

/** The language of a line, then given names, each before its short forms. */
const table = `
English | abigail abby gail; abraham abe; adelaide addie; agnes aggie; alan al; albert al bert bertie
English | alexander alex alec sandy sasha xander; alexandra alex sandra sasha lexi alexa
English | alfred al fred alf; alice allie; alison ali ally; alistair ali; allan al
English | allison ali allie ally; amanda mandy; amelia amy millie; andrea andi; andrew andy drew
English | angela angie; angus gus; ann annie; anna annie; anne annie; anthony tony; antoinette toni
English | archibald archie; arthur art; august gus; augustine gus; augustus gus; barbara barb babs
English | barnabas barney; bartholomew bart; beatrice bea; belinda linda; benedict ben
English | benjamin ben benny; bernadette bernie; bernard bernie barney; beverly bev; bradford brad
English | bradley brad; bridget biddy; calvin cal; cameron cam; caroline carol carrie
English | carolyn carrie lyn; cassandra cass cassie; catherine cathy kate katie kitty cath; cecilia cece
English | charles charlie chuck chas; charlotte lottie; chester chet; christian chris
English | christina chris tina christy; christine chris christy; christopher chris kit topher
English | clarence clare; clayton clay; clement clem; clifford cliff; clinton clint; constance connie
English | cornelius neil con; curtis curt; cynthia cindy; daniel dan danny; danielle dani
English | david dave davey; deborah deb debbie debby; delbert del; dennis denny; desmond des; dianne di
English | dolores lola; dominic dom nick; donald don donnie; dorothy dot dottie dolly; douglas doug
English | edgar ed; edith edie; edmund ed eddie ned ted; edward ed eddie ned ted teddy; edwin ed eddie
English | eleanor ellie nell nora; elias eli; elijah eli
English | elizabeth liz beth betsy betty eliza lizzie libby bess lisa elise; emily em emmy; ephraim eph
English | ernest ernie; esther essie; eugene gene; evelyn evie; ezekiel zeke; ferdinand ferdie
English | fergus fergie; florence flo; frances fran frankie; francis frank; franklin frank
English | frederica freddie; frederick fred freddie freddy; gabriel gabe; geoffrey geoff jeff
English | georgia georgie; georgina georgie; gerald gerry jerry; geraldine gerry; gerard gerry
English | gertrude trudy gertie; gilbert gil bert; gillian jill; gordon gord; grace gracie; gregory greg
English | gwendolyn gwen; harold harry hal; harriet hattie; harrison harry; helen nell; henrietta etta
English | henry hank harry hal; herbert herb bert; howard howie; hubert bert hugh; hugh hughie
English | irving irv; isaac ike; isabel izzy bella belle; isabella bella izzy; isabelle izzy bella belle
English | isadore izzy; israel izzy; jackson jack; jacob jake; jacqueline jackie; james jim jimmy jamie
English | jane janie; janet jan; janice jan; jason jay; jean jeannie; jefferson jeff; jeffrey jeff
English | jennifer jen jenny; jerald jerry; jeremiah jerry; jeremy jerry; jerome jerry; jerrold jerry
English | jessica jess jessie; jillian jill; joan joanie; joanna jo; jocelyn joss; john jack johnny jock
English | jonathan jon jonny; joseph joe joey; josephine jo josie; joshua josh; judith judy; julia jules
English | julian jules; julie jules; katherine kathy kate katie kay kat; kathleen kathy kate katie
English | katrina kat trina; kenneth ken kenny; kimberly kim; kristen kris; kristin kris
English | kristina kris tina; kristine kris; kristopher kris; lachlan lachie; laura laurie
English | lauren laurie; laurence larry; lawrence larry; leonard leo len lenny; leopold leo; leroy roy
English | leslie les; lester les; lewis lew; lillian lil lilly; louis lou louie; louisa lou; louise lou
English | lucas luke; lucille lucy; lucinda cindy lucy; madeleine maddie; malcolm mal; manuel manny
English | marcus marc mark; margaret maggie meg peggy marge margie greta rita; marjorie marge
English | martin marty; marvin marv; mary molly polly mamie; mathias matt; matilda tilda tilly
English | matthew matt; maureen mo; maurice morris; maximilian max; maxwell max; melissa missy
English | melvin mel; michael mike mick mickey; michelle shelly shelley; mildred millie
English | millicent millie; miriam mimi; mitchel mitch; mitchell mitch; mohamed mo; mohammed mo
English | montague monty; montgomery monty; morton mort; moses moe; muhammad mo; nancy nan; natalie nat
English | nathan nate nat; nathaniel nate nat; nicholas nick nicky; nicola nicky; nicolas nick
English | nicole nikki nicki nicky; norbert bert; norman norm; oliver ollie; olivia liv; orlando lando
English | pamela pam; patricia pat patty trish tricia; patrick pat paddy; penelope penny; percival percy
English | peter pete; philip phil; phillip phil; priscilla cilla; prudence prue; rachel rae
English | randall randy; randolph randy; raymond ray; rebecca becky becca; regina gina
English | reginald reg reggie; richard dick rick ricky rich richie; robert bob bobby rob robbie bert
English | roberta bobbie; roderick rod roddy; rodney rod; roger rodge; roland rollie; ronald ron ronnie
English | rosalind roz; rosamund roz; rosemary rosie; roxanne roxy; rudolph rudy; russell russ
English | sally sal; salvatore sal; samantha sam; samuel sam sammy; sara sadie; sarah sally sadie
English | saul solly; sebastian seb; sheldon shelly; shirley shirl; sidney sid; sigmund ziggy; simon si
English | solomon sol; sophia sophie; stanley stan; stephanie steph; stephen steve stevie
English | steven steve stevie; stewart stu; stuart stu; susan sue susie suzy; susanna sue susie
English | susannah sue susie; suzanne sue suzy; sylvester sly; tabitha tabby; tamara tammy
English | terence terry; teresa terri terry tess; terrence terry; thaddeus thad tad
English | theodore ted teddy theo; theresa terri terry tess; thomas tom tommy; timothy tim timmy
English | tobias toby; trevor trev; valentine val; valerie val; vernon vern; veronica ronnie; victor vic
English | victoria vicky tori; vincent vince vinny; virginia ginny; vivian viv; wallace wally
English | walter walt wally; wesley wes; wilfred will fred; wilfrid will fred; wilhelmina mina minnie
English | william bill billy will willie willy liam; winifred winnie; winston winnie; woodrow woody
English | zachariah zach; zachary zach zack; zechariah zach
Other languages | nicholas nicolas nikolas nikolaus nikolai niko nico; nikolas niko nick nik; nikolaus nick nik
Other languages | nikita niki nik; niko nick nik; nicolas niko nick nik; alexander aleksandr alexandre alessandro alejandro
Other languages | friedrich frederick frederic frederik federico fredrik; frederick frederic fredric
Other languages | johann john johan; johannes john johan; heinrich henry henri enrique; wilhelm william guillaume
Other languages | karl carl charles carlos; ludwig louis; georg george georges jorge; michael mikhail michel miguel
Other languages | peter pierre pedro pyotr piotr petr; paul pavel pablo paolo; joseph josef jose giuseppe yosef iosif
Other languages | katherine catherine ekaterina katharina caterina; elizabeth elisabeth elisabetta isabel
Other languages | andrew andreas andre andrei andrey andrea andres; stephen stefan etienne esteban stephan
Other languages | luke lucas luca lukas; matthew matthias mathieu matteo mateo
Other languages | philip philippe felipe filippo; anthony anton antonio antoine; theodore fyodor fedor theodor
Other languages | gregory grigory gregor; sergey sergei sergio serge; dmitry dmitri dimitri; yuri iouri jurij
Spanish | alberto beto; alejandra ale; alejandro alex ale; alfonso poncho; antonio tony tono
Spanish | beatriz bea; catalina cata; concepcion concha conchita; consuelo chelo; cristina cris
Spanish | daniel dani; eduardo lalo edu; enrique quique kike; ernesto neto; federico fede; felipe pipe
Spanish | fernando nando; francisca paca paqui; francisco paco pancho cisco kiko curro
Spanish | gabriela gaby gabi; graciela chela; gregorio goyo greg; guadalupe lupe; guillermo memo guille
Spanish | ignacio nacho; isabel isa; jesus chuy chucho; joaquin quino; jose pepe; josefa pepa
Spanish | josefina fina pepita; juan juanito; juana juanita; leonardo leo; leonor nora; luis lucho
Spanish | magdalena magda; manuel manolo manu; margarita rita; maximiliano max; mercedes merche meche
Spanish | miguel mike migue; montserrat montse; nicolas nico; patricia paty; rafael rafa; ramon moncho
Spanish | ricardo ricky rick; roberto beto; rosario charo; santiago santi; sebastian seba; sergio checo
Spanish | soledad sole; teresa tere
Portuguese | antonio toninho tonho; carlos carlinhos; eduardo duda; fernanda nanda; francisca chica
Portuguese | francisco chico; gabriel biel; guilherme gui; gustavo guga; henrique rique; isabel bel
Portuguese | isabela bela; joao joaozinho; joaquim quim; jose ze zeca; luis luisinho; luiz lula luizinho
Portuguese | manuel manel; pedro pedrinho; roberto betinho; ronaldo ronaldinho; sebastiao tiao
Portuguese | teresa teca; teresinha teca; vinicius vini
French | alexandre alex; augustin gus; caroline caro; charlotte lotte; christophe chris; dominique dom
French | elisabeth lise babette; emmanuel manu; emmanuelle manu; frederic fred; frederique fred
French | gabriel gaby; genevieve ginette; gregoire greg; jacques jacquot; jean jeannot; jeanne jeannette
French | madeleine mado; marguerite margot; mathieu mat; matthieu mat; maximilien max; nathalie nat
French | philippe phil; pierre pierrot; sebastien seb; stephane steph; suzanne suzon; theophile theo
French | veronique vero
German | alexander sascha; andreas andi; angelika geli; anneliese anne liesel; bernhard bernd
German | brigitte gitte biggi; christoph chris; dietrich dieter; elisabeth lisa elli sissi
German | ferdinand ferdi; franz franzl; franziska franzi; friedrich fritz fred; gabriele gabi
German | georg schorsch; gerhard gerd; hannelore hanne; hans hansi; heinrich heinz heiner heini
German | hildegard hilde; ingeborg inge; joachim jochen achim; johann hans; johannes hans hannes
German | josef sepp; katharina kathi kathrin kathe; konrad conny; leopold poldi; ludwig lutz
German | magdalena lena; manfred manni; margareta grete gretel; margarete grete gretel
German | margarethe grete gretel; maximilian maxi; michael michi; nikolaus klaus niko; rudolf rudi
German | sebastian basti; siegfried sigi; sigmund sigi; susanne susi; theodor theo; therese resi
German | theresia resi; ulrich uli ulli; ulrike uli ulli; ursula uschi; wilhelm willi willy
German | wolfgang wolf
Italian | alessandra sandra ale; alessandro sandro ale; antonino nino; antonio tonino toto nino toni
Italian | bartolomeo meo; beatrice bice; caterina rina; daniele dani; domenico mimmo; eleonora nora
Italian | elisabetta betta lisa; emanuele lele; federica fede; ferdinando nando; filippo pippo
Italian | francesca franca; francesco franco checco; gabriele lele; giovanna gianna vanna
Italian | giovanni gianni nino vanni; giuseppe beppe peppe pino peppino; giuseppina pina; lorenzo renzo
Italian | luigi gigi gino; luigia gina; maddalena lena; margherita rita; massimiliano max
Italian | nicoletta nico; raffaele lello; salvatore toto salvo; vincenza enza; vincenzo enzo
Russian | aleksandr sasha; aleksandra sasha; aleksei alyosha lyosha; alexei alyosha lyosha
Russian | anastasia nastya; boris borya; dmitri dima mitya; dmitry dima mitya; ekaterina katya
Russian | elena lena; evgeny zhenya; grigory grisha; ivan vanya; konstantin kostya; leonid lyonya
Russian | maria masha; mikhail misha; natalia natasha; nikolai kolya; olga olya; pavel pasha
Russian | pyotr petya; sergei seryozha; sofia sonya; svetlana sveta; tatiana tanya; tatyana tanya
Russian | vladimir volodya vova; yekaterina katya; yelena lena; yevgeny zhenya; yuri yura
`

/**
 * People whom the press calls by their initials or by one name, and the names by which records have them. In are
 * heads of state, members of parliaments and those whom dictionaries list under the short form.
 */
const publicNames = `
aoc | alexandria ocasio cortez
mtg | marjorie taylor greene
jfk | john kennedy
rfk | robert kennedy
fdr | franklin roosevelt
lbj | lyndon johnson
mlk | martin luther king
rbg | ruth bader ginsburg
gbs | george bernard shaw
rms | richard stallman
esr | eric raymond
djt | donald trump
dsk | dominique strauss kahn
vge | valery giscard estaing
amlo | andres manuel lopez obrador
srk | shah rukh khan
mbs | mohammed bin salman
mbz | mohamed bin zayed
`

const shortNames = new Map(
  publicNames
    .trim()
    .split('\n')
    .map((line) => line.split(' | '))
    .map(([short = '', name = '']) => [short, name.split(' ')] as const),
)

/** The words of the name of somebody whom the press calls by a short one, as the analyzer spells them. */
export function publicNameOf(short: string): readonly string[] | undefined {
  return shortNames.get(short)
}

const fullForms = new Set<string>()
const others = new Map<string, Set<string>>()
for (const line of table.trim().split('\n')) {
  for (const names of line.slice(line.indexOf('|') + 1).split(';')) {
    const [full = '', ...short] = names.trim().split(' ')
    fullForms.add(full)
    for (const each of short) {
      add(full, each)
      add(each, full)
    }
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

/** Other short forms of the names that a given name is short for: Chuck, of Charlie. */
export function secondForms(given: string): ReadonlySet<string> {
  if (!others.has(given)) return none
  const full = [...otherForms(given)].filter((name) => fullForms.has(name))
  return new Set(full.flatMap((name) => [...otherForms(name)]).filter((form) => form !== given))
}

/** Whether a name is among the second forms of a given name; without making them. */
export function areShortForms(given: string, name: string): boolean {
  if (given === name) return false
  for (const full of otherForms(given)) {
    if (fullForms.has(full) && otherForms(full).has(name)) return true
  }
  return false
}
