/** The proof of usage by key: the keys of an account add up to the charges in the journal. */
const journalByKey = `select account, at_ms / 86400000 as day, key as route,
    cast(sum(cast(value ->> 'queries' as bigint)) as bigint) as queries,
    cast(sum(cast(value ->> 'amountMicroUsd' as bigint)) as bigint) as amount
  from journal, each_of(sales) where kind = 'charge' group by 1, 2, 3`

const keysByDay = `select account, day, route, cast(sum(queries) as bigint) as queries,
    cast(sum(amount) as bigint) as amount from key_usage group by 1, 2, 3`

/** Usage by key that differs from the journal: where, what is written and what the journal sums to. */
export const usageByKeyText = `select 'account ' || coalesce(keys.account, sold.account) || ', usage by key of' as place,
    coalesce(keys.day, sold.day) as day, coalesce(keys.route, sold.route) as route,
    coalesce(keys.amount, 0) as written, coalesce(sold.amount, 0) as summed
  from (${keysByDay}) as keys full join (${journalByKey}) as sold
    on keys.account = sold.account and keys.day = sold.day and keys.route = sold.route
  where keys.queries is distinct from sold.queries or keys.amount is distinct from sold.amount`
