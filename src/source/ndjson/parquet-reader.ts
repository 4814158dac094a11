/** A Parquet file, read one row group after the other, in all compressions that Parquet has. */
import { open } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet'
import { decompressLz4, decompressLz4Raw, decompressZstd } from 'hyparquet-compressors'
import { type FileObject, readRange } from './object-files.ts'
import { unreadable } from './unreadable.ts'

export interface ParquetFile {
  readonly path: string
  readonly sizeBytes: number
  readonly object?: FileObject
}

interface RowGroup {
  readonly file: ParquetFile
  /** Of a file that has this row group alone. */
  readonly metadata: FileMetaData
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

export function readMetadata(file: ParquetFile): Promise<FileMetaData> {
  return reading(file, parquetMetadataAsync)
}

/** @throws Error for a group with columns of different lengths, or a page that cannot be read. */
export function readGroup({ file, metadata }: RowGroup): Promise<readonly unknown[][]> {
  const count = Number(metadata.row_groups[0]!.num_rows)
  return reading(file, async (bytes) => {
    let rows: unknown[][] = []
    const onComplete = (all: unknown[][]) => {
      rows = all
    }
    await parquetRead({ file: bytes, metadata, compressors, onComplete })
    if (rows.length === count) return rows
    throw new Error(`it has ${rows.length} rows`)
  })
}

async function reading<T>(
  { path, object, sizeBytes: byteLength }: ParquetFile,
  read: (bytes: AsyncBuffer) => Promise<T>,
): Promise<T> {
  if (object !== undefined) {
    return read({ byteLength, slice: (start, end = byteLength) => readRange(object, start, end) })
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
  try {
    return await read({ byteLength, slice })
  } finally {
    await handle.close()
  }
}
