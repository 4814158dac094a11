import { loadSnapshot } from '../src/snapshot/store/directory.ts'
import { ordersOf } from '../src/engine/suggest/orders.ts'
import { topicTokensOf } from '../src/engine/terms/topic-tokens.ts'
import { topicCountsOf } from '../src/engine/facets/topic-counts.ts'
import { nameSoundsOf } from '../src/engine/terms/name-sounds.ts'
import { websiteTableOf } from '../src/engine/websites.ts'
import { itemsOf } from '../src/snapshot/section-pages.ts'
const path=process.argv[2]!
let last=process.cpuUsage().user
const lap=(n:string)=>{const now=process.cpuUsage().user; console.log(n.padEnd(12),((now-last)/1e6).toFixed(2),'s', Math.round(process.memoryUsage().rss/1e6),'MB'); last=now}
lap('start')
const s=loadSnapshot(path); lap('load')
console.log(s.header.counts.topics, s.header.counts.topicKeys, s.header.counts.terms)
ordersOf(s,()=>{}); lap('orders')
topicTokensOf(s.sections,()=>{}); lap('tokens')
websiteTableOf(itemsOf(s,'profile'),()=>{}); lap('websites')
topicCountsOf(s.sections,()=>{}); lap('counts')
nameSoundsOf(s.sections,()=>{}); lap('sounds')
