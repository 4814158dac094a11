/**
 * Limits that no setting changes: those of a request, of a record and of a thread. Imports nothing,
 * because every folder may read them.
 */

export const limits = {
  /** Items in one answer, and so the largest value of `limit`. */
  resultsMax: 50,
  resultsDefault: 10,
  /** Corrections that are recorded beside the snapshots, also those that were undone. */
  correctionsRecordedMax: 10_000,
  /** SDUs or handles in one request. */
  valuesPerRequestMax: 50,
  /** SDUs, handles or sources in the body of a POST. */
  batchValuesMax: 1_000,
  /** Of these where each is explained, which costs a hundred times as much. */
  explainedMax: 50,
  /**
   * The body of a POST: its bytes, its pieces, and its duration; nesting, commas and members of its JSON, and a string
   * in it: the longest source takes 6 bytes a character, escaped.
   */
  batchBody: {
    bytesMax: 256 << 10,
    piecesMax: 4_096,
    secondsMax: 30,
    depthMax: 8,
    commasMax: 4_096,
    membersMax: 64,
    stringBytesMax: 16 << 10,
  },
  /** Window of time, and bytes that a body must bring in each until it is whole. */
  bodyWindowSeconds: 5,
  bodyWindowBytesMin: 4_096,
  /** Bodies of POSTs that a thread gathers at once; an account or address has an eighth of them. */
  batchesInFlightMax: 256,
  /** Requests, and milliseconds, of a turn of the loop, after both of which the connection whose requests are read ends. */
  turnRequestsMax: 1_024,
  turnMsMax: 50,
  /** Visible characters of an `Idempotency-Key`. */
  idempotencyKeyCharactersMax: 64,
  /** Repeats of a request under one `Idempotency-Key` within the ten minutes in which they are free. */
  idempotencyRepeatsMax: 20,
  /** Addresses and networks that one key may be used from, and its most requests a second. */
  keyAddressesMax: 64,
  keyRequestsPerSecondMax: 1_000_000,
  /** Days of usage that the holder of a key can ask for at once. */
  ownUsageDaysMax: 92,
  /** Parameters of a request, as they stand between `&`. */
  parametersMax: 128,
  sourceCharactersMax: 2_000,
  queryCharactersMax: 256,
  followersMinMax: 0xffff_ffff,
  /** Keys of one facet, the largest. */
  facetKeysMax: 100,
  handleCharactersMax: 256,
  sduDigitsMax: 32,
  cursorCharactersMax: 4_096,
  /** Peers kept of each handle; an answer never holds more than `resultsMax` of them. */
  peersPerHandleMax: 50,
  /** Endorsers named of each rank, the strongest first, and of how many members of a topic. */
  endorsersPerRankMax: 5,
  membersExplainedMax: 1_000,
  /** The same of messages of MCP. */
  mcpBody: {
    bytesMax: 1 << 20,
    piecesMax: 4_096,
    secondsMax: 30,
    depthMax: 64,
    commasMax: 8_192,
    membersMax: 4_096,
    stringBytesMax: 64 << 10,
  },
  /** Messages in one MCP request; only older revisions know batches. */
  mcpMessagesMax: 20,
  /** The result of a tool call, as JSON: 4,000 tokens of four bytes. */
  mcpResultBytesMax: 16_000,
  /** Search answers kept by a serving thread for a snapshot. */
  answerCacheBytesMax: 16 << 20,
  /** Announcements whose changes are kept; a request can go back no further. */
  historySnapshotsMax: 1_000,
  /** Bytes of the people in one file of changes, which are found by offsets of 32 bits. */
  changeBytesMax: 0xffff_ffff - 4_096,
  /** Items of one page of changes or of a history, and the bytes and reads from the disk for it. */
  changesPerPageMax: 1_000,
  changePageBytesMax: 256 << 10,
  changeReadsPerPageMax: 128,
  snapshotsPerPageMax: 100,
  /** Object storage: bytes of each part of a file but the last, before it is packed. */
  partBytes: 16 << 20,
  /** Announcements kept there, and the bytes of one. */
  announcementsKeptMax: 1_000,
  announcementBytesMax: 16 << 20,
  /** The admin API: items of a page, bytes of a body, seconds until a request is whole, requests at once. */
  adminPageMax: 100,
  adminBodyBytesMax: 64 << 10,
  adminRequestSecondsMax: 10,
  adminRequestsMax: 16,
  oauthBodyBytesMax: 16 << 10,
  /** Source records. */
  lineBytesMax: 1 << 20,
  nameCharactersMax: 200,
  bioCharactersMax: 10_000,
  topicCharactersMax: 200,
  topicsPerAuthorityMax: 50,
  socialsPerAuthorityMax: 50,
  otherNamesPerAuthorityMax: 50,
  identifiersPerAuthorityMax: 50,
  identifierCharactersMax: 256,
  attributesPerAuthorityMax: 16,
  attributeKeyCharactersMax: 32,
  attributeCharactersMax: 120,
  biographyFactsMax: 65_536,
  /** Members of a topic whose label or alias may stand against another meaning of the same words. */
  phraseMembersMin: 5,
  websiteCharactersMax: 2_000,
  /**
   * Weights of connections and topics. A share that is passed on is a weight over the sum of weights: beyond
   * these, 1e-320 or 1e300, sums and shares leave the numbers that a computer divides exactly, and
   * with them goes every score, because all scores are parts of one whole.
   */
  weightMin: 1e-9,
  weightMax: 1e9,
  /** The sum of weights from one person to another, unless the source is trusted for weights. */
  pairWeightMax: 10,
  /** Bytes of an answer from which it is compressed for clients that take gzip. */
  answerCompressedBytesMin: 1_024,
  /** Bytes of answers that wait on a thread for clients to read them. */
  unreadBytesMax: 33_554_432,
  /** Bytes of one section, so that one typed array and one MessagePack `bin` can hold it. */
  sectionBytesMax: 0xffff_ffff,
} as const

/** A whole number as people write it: `1,000`. `toLocaleString` loads its tables at each start. */
export function withThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
