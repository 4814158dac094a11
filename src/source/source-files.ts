/** The files of a source, whatever form each has: lines of JSON, or a table. */

/** The names of the files, in the order in which the digest lists them. */
export const sourceFiles = [
  'authorities.ndjson',
  'connections.ndjson',
  'corrections.ndjson',
  'topics.ndjson',
] as const

/** The name of a source file, as its form of NDJSON has it. */
export type SourceFileName = (typeof sourceFiles)[number]

/** Fields that each record of a file needs. */
export const neededFields: Readonly<Record<SourceFileName, readonly string[]>> = {
  'authorities.ndjson': ['sdu', 'name', 'topics'],
  'connections.ndjson': ['from', 'to'],
  'corrections.ndjson': ['sdu', 'set', 'source', 'date'],
  'topics.ndjson': ['topic'],
}

/** The name of a file without its ending, which is that of its table in a map or in a database. */
export function tableNameOf(file: SourceFileName): string {
  return file.slice(0, file.indexOf('.'))
}

/** Forms of files, each with the endings of its names. */
export const fileForms = {
  ndjson: ['.ndjson', '.ndjson.gz'],
  csv: ['.csv', '.csv.gz', '.tsv', '.tsv.gz', '.tab', '.txt'],
  parquet: ['.parquet'],
} as const

/** One of the forms. */
export type FileForm = keyof typeof fileForms

/** The form of a file by its name, in whatever case, and whether it is gzipped; undefined for a name of no form. */
export function formOf(path: string): { form: FileForm; gzipped: boolean } | undefined {
  const fileName = path.toLowerCase()
  for (const [form, endings] of Object.entries(fileForms)) {
    const ending = endings.find((ending) => fileName.endsWith(ending))
    if (ending !== undefined) return { form: form as FileForm, gzipped: ending.endsWith('.gz') }
  }
  return undefined
}
