/** A Parquet file, read one row group after the other, in all compressions that Parquet has. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet'
import { decompressLz4, decompressLz4Raw, decompressZstd } from 'hyparquet-compressors'
import { readRange, type StoredFile } from './stored-files.ts'

interface RowGroup {
  readonly file: StoredFile
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

export function readMetadata(file: StoredFile): Promise<FileMetaData> {
  return parquetMetadataAsync(bytesOf(file))
}

/** @throws Error for a group with columns of different lengths, or a page that cannot be read. */
export async function readGroup({ file, metadata }: RowGroup): Promise<readonly unknown[][]> {
  const count = Number(metadata.row_groups[0]!.num_rows)
  let rows: unknown[][] = []
  const onComplete = (all: unknown[][]) => {
    rows = all
  }
  await parquetRead({ file: bytesOf(file), metadata, compressors, onComplete })
  if (rows.length === count) return rows
  throw new Error(`it has ${rows.length} rows`)
}

function bytesOf(file: StoredFile): AsyncBuffer {
  const { sizeBytes: byteLength } = file
  return { byteLength, slice: (start, end = byteLength) => readRange(file, start, end) }
}
