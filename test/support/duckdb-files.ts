/** Files that DuckDB writes for tests. */
import { loadDuckDb } from '../../src/duckdb/module.ts'

/** Runs statements in a database of a file, or in one that is gone behind them. */
export async function runInDuckDb(statements: readonly string[], path = ':memory:'): Promise<void> {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(path, { threads: '1' })
  const connection = await instance.connect()
  try {
    for (const statement of statements) await connection.run(statement)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
