/** A ZIP archive of a few files (PKWARE APPNOTE 6.3.10, without ZIP64): the same files give the same bytes. */
import { crc32, deflateRawSync } from 'node:zlib'

/** 1980-01-01, the first day that the format knows. */
const day = 0x21
const deflated = 8
/** Names are UTF-8. */
const flags = 0x0800
const version = 20

/** The archive. @param files by their paths, with slashes. */
export function zipOf(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(deflated, 4)
    common.writeUInt16LE(day, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, place, name]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
