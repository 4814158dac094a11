/**
 * Other names of the values of attributes, from general knowledge: codes of states and provinces (ISO 3166-2), and
 * other names of parties and offices. For building an index only: such a name counts where somebody has the value.
 *
 * Invariant: no row is made of records or of judged queries.
 */

/** ISO 3166-2, without the country: of federations whose codes stand in everyday English addresses. */
const regions = [
  // United States, with the district and the territories.
  'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, ' +
    'FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, ' +
    'LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, ' +
    'MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, ' +
    'NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, ' +
    'RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, ' +
    'VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, DC District of Columbia, ' +
    'AS American Samoa, GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI Virgin Islands',
  // Canada.
  'AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, ' +
    'NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, ' +
    'SK Saskatchewan, YT Yukon',
  // Australia.
  'ACT Australian Capital Territory, NSW New South Wales, NT Northern Territory, QLD Queensland, ' +
    'SA South Australia, TAS Tasmania, VIC Victoria, WA Western Australia',
]

/** Names of one party or one office. */
const sameValues = [
  'Democrat, Democratic, Democratic Party, Dem',
  'Republican, Republican Party, GOP',
  'Conservative, Conservative Party, Tory',
  'Labour, Labour Party',
  'Liberal Democrat, Liberal Democrats, Lib Dem',
  'Green, Green Party',
  'Representative, Congressman, Congresswoman, Congressperson, Member of Congress',
  'Member of Parliament, MP',
  'Member of the European Parliament, MEP',
]

const codes = new Map<string, string[]>()
for (const region of regions.flatMap((rows) => rows.split(', '))) {
  const [code = '', ...name] = region.split(' ')
  const key = name.join(' ').toLowerCase()
  codes.set(key, [...(codes.get(key) ?? []), code])
}

const others = new Map<string, readonly string[]>()
for (const row of sameValues.map((each) => each.split(', '))) {
  for (const name of row) others.set(name.toLowerCase(), row)
}

/** The codes of a state or a province; none of any other value. */
export function codesOfValue(value: string): readonly string[] {
  return codes.get(value.toLowerCase()) ?? []
}

/** Other names of a value. */
export function namesOfValue(value: string): readonly string[] {
  return others.get(value.toLowerCase()) ?? []
}
