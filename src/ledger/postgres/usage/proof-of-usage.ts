/**
 * The proof of usage by key in a database: the lineages of an account add up to the rows of the journal that were
 * charged by key, and the hours to the days. Hours of days that ended long ago may be gone, all of a day together.
 */
import { limits } from '../../../limits.ts'

const journalByKey = `select account, (at at time zone 'UTC')::date as day, key as route,
    sum((value ->> 'queries')::bigint)::bigint as queries,
    sum((value ->> 'amountMicroUsd')::bigint)::bigint as amount
  from journal, jsonb_each(sales) where kind = 'charge' and by_key group by 1, 2, 3`

const keysByDay = `select account, day, route, sum(queries)::bigint as queries,
    sum(amount)::bigint as amount from key_usage group by 1, 2, 3`

/** Usage by key that differs from the journal: where, what is written and what the journal sums to. */
export const usageByKeyText = `select 'account ' || coalesce(keys.account, sold.account) || ', usage by key of '
    || coalesce(keys.day, sold.day) || ' ' || coalesce(keys.route, sold.route) as place,
    coalesce(keys.amount, 0) as written, coalesce(sold.amount, 0) as summed
  from (${keysByDay}) as keys full join (${journalByKey}) as sold
    on keys.account = sold.account and keys.day = sold.day and keys.route = sold.route
  where keys.queries is distinct from sold.queries or keys.amount is distinct from sold.amount`

const hoursByDay = `select account, lineage, (hour at time zone 'UTC')::date as day, route,
    sum(queries)::bigint as queries, sum(amount)::bigint as amount from hour_usage group by 1, 2, 3, 4`

/** Usage by hour that differs from that by day. */
export const usageByHourText = `select 'account ' || coalesce(keys.account, hours.account) || ', usage by hour of '
    || coalesce(keys.day, hours.day) || ' ' || coalesce(keys.route, hours.route) as place,
    coalesce(hours.amount, 0) as written, coalesce(keys.amount, 0) as summed
  from key_usage as keys full join (${hoursByDay}) as hours
    on keys.account = hours.account and keys.lineage = hours.lineage and keys.day = hours.day
      and keys.route = hours.route
  where (keys.queries is distinct from hours.queries or keys.amount is distinct from hours.amount)
    and not (hours.account is null
      and keys.day < (clock_timestamp() at time zone 'UTC')::date - ${limits.usageHoursKeptDays})`
