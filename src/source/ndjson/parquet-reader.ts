/** A Parquet file, read one row group after the other, in all compressions that Parquet has. */
import { open } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from 'hyparquet'
import { decompressLz4, decompressLz4Raw, decompressZstd } from 'hyparquet-compressors'
import { type FileObject, readRange } from './object-files.ts'
import { unreadable } from './unreadable.ts'

export interface ParquetFile {
  readonly path: string
  readonly sizeBytes: number
  readonly object?: FileObject
}

export interface RowGroups {
  readonly columns: readonly string[]
  readonly rows: readonly number[]
}

export interface RowGroup {
  readonly rowStart: number
  readonly count: number
}

/** Beside Snappy, which hyparquet reads itself: that of `hyparquet-compressors` never returns from some damaged pages. */
const compressors: Compressors = {
  GZIP: (page, length) => gunzipSync(page, atMost(length)),
  BROTLI: (page, length) => brotliDecompressSync(page, atMost(length)),
  ZSTD: (page) => decompressZstd(page),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
}

/** No page grows beyond the length that its header says; Node.js has no limit of 0. */
function atMost(length: number) {
  return { maxOutputLength: Math.max(1, length) }
}

export class ParquetReader {
  #bytes: Awaited<ReturnType<typeof bytesOf>> | undefined
  #metadata: FileMetaData | undefined

  async open(file: ParquetFile): Promise<RowGroups> {
    await this.close()
    this.#bytes = await bytesOf(file)
    const metadata = await parquetMetadataAsync(this.#bytes)
    this.#metadata = metadata
    return {
      columns: parquetSchema(metadata).children.map(({ element }) => element.name),
      rows: metadata.row_groups.map(({ num_rows: rows }) => Number(rows)),
    }
  }

  async close(): Promise<void> {
    await this.#bytes?.close()
    this.#bytes = undefined
  }

  /** @throws Error for a group with columns of different lengths, or a page that cannot be read. */
  group({ rowStart, count }: RowGroup): Promise<readonly unknown[][]> {
    const file = this.#bytes!
    const metadata = this.#metadata!
    return new Promise((resolve, reject) => {
      const onComplete = (rows: unknown[][]) => {
        if (rows.length === count) resolve(rows)
        else reject(new Error(`it has ${rows.length} rows`))
      }
      const rowEnd = rowStart + count
      const rows = { rowStart, rowEnd, onComplete }
      parquetRead({ file, metadata, compressors, ...rows }).catch(reject)
    })
  }
}

async function bytesOf({ path, object, sizeBytes: byteLength }: ParquetFile) {
  if (object !== undefined) {
    const slice = (start: number, end = byteLength) => readRange(object, start, end)
    return { byteLength, slice, close: async () => {} }
  }
  const handle = await open(path).catch((error) => {
    throw unreadable(path, error)
  })
  const slice = async (start: number, end = byteLength): Promise<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
    if (bytesRead < bytes.length) throw unreadable(path, new Error('it was cut while it was read'))
    return bytes.buffer
  }
  return { byteLength, slice, close: () => handle.close() }
}
