/**
 * Three questions and what the service answers them from its default data, for visitors without a key.
 * `test/unit/explorer/site.test.ts` asks them.
 */
export const examples = [
  {
    question: 'Who are the authorities on health?',
    target: '/api/v1/index?query=health&limit=3&fields=name,country_name,authority_score',
    results: [
      { name: 'Bernard Sanders', country_name: 'United States', authority_score: 39.82 },
      { name: 'Bill Cassidy', country_name: 'United States', authority_score: 37.74 },
      { name: 'Tammy Baldwin', country_name: 'United States', authority_score: 42.69 },
    ],
  },
  {
    question: 'Whose handle is @SenCapito?',
    target: '/api/v1/match?handle=@SenCapito&fields=name,country_name,authority_score',
    results: [
      { name: 'Shelley Moore Capito', country_name: 'United States', authority_score: 45.74 },
    ],
  },
  {
    question: 'Which authorities are connected with @SenCapito?',
    target: '/api/v1/peers?handle=@SenCapito&limit=3&fields=name,country_name,authority_score',
    results: [
      { name: 'Deb Fischer', country_name: 'United States', authority_score: 50.13 },
      { name: 'Jack Reed', country_name: 'United States', authority_score: 46.87 },
      { name: 'Gary C. Peters', country_name: 'United States', authority_score: 46.01 },
    ],
  },
] as const
