/** The files of a source, whatever form each has: lines of JSON, or a table. */

/** The names of the files, in the order in which the digest lists them. */
export const sourceFiles = [
  'authorities.ndjson',
  'connections.ndjson',
  'corrections.ndjson',
  'topics.ndjson',
] as const

export type SourceFileName = (typeof sourceFiles)[number]

export const neededFields: Readonly<Record<SourceFileName, readonly string[]>> = {
  'authorities.ndjson': ['sdu', 'name', 'topics'],
  'connections.ndjson': ['from', 'to'],
  'corrections.ndjson': ['sdu', 'set', 'source', 'date'],
  'topics.ndjson': ['topic'],
}

/** Also the name of its table in a map or in a database. */
export function tableNameOf(file: SourceFileName): string {
  return file.slice(0, file.indexOf('.'))
}

export const fileForms = {
  ndjson: ['.ndjson', '.ndjson.gz'],
  csv: ['.csv', '.csv.gz', '.tsv', '.tsv.gz', '.tab', '.txt'],
  parquet: ['.parquet'],
} as const

export type FileForm = keyof typeof fileForms

/** The form that a file has by its name, plain or gzipped. */
export function formOf(path: string): FileForm | undefined {
  const fileName = path.toLowerCase()
  const forms = Object.keys(fileForms) as FileForm[]
  return forms.find((form) => fileForms[form].some((ending) => fileName.endsWith(ending)))
}
