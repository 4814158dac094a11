/**
 * DuckDB as the optional package that it is: loaded when it is asked for by name, and never before. Nothing is
 * downloaded: extensions that are not part of the package are neither installed nor loaded.
 */
import type * as DuckDb from '@duckdb/node-api'
import { Refusal } from '../problems.ts'

/** The version that the program is tested with. */
const duckDbVersion = '1.5.6-r.1'

const packageName = '@duckdb/node-api'

/**
 * Loads the package.
 * @throws Refusal `wrong-usage` with the command that installs it where it is missing.
 */
export async function loadDuckDb(): Promise<typeof DuckDb> {
  try {
    // By a name in a variable, so that no bundle takes it in.
    return await import(packageName)
  } catch (error) {
    const reason = (error as Error).message.split('\n', 1)[0]
    const command = `npm install ${packageName}@${duckDbVersion}`
    throw new Refusal(
      'wrong-usage',
      `--engine duckdb needs the package ${packageName}: ${command} (${reason})`,
    )
  }
}
