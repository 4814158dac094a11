/**
 * What is sold: the four routes, and what a query on each costs. The position of a route in
 * `routeNames` is its column in shared memory; in the book it is written by name.
 */

/** The names of the routes, in the order of their columns. */
export const routeNames = ['search', 'detail', 'peers', 'match'] as const

/** The name of one of the four routes. */
export type RouteName = (typeof routeNames)[number]

/** Price of one query in micro-USD, by route. A batch is one query per SDU or handle. */
export type Prices = Readonly<Record<RouteName, number>>

/** Queries on each route. */
export type Queries = Readonly<Record<RouteName, number>>
