/**
 * Pictures as PNG, still or moving: read, written with few colours, made smaller, and compared. A picture is its pixels,
 * four bytes each (red, green, blue, alpha), row by row.
 */
import { createRequire } from 'node:module'

type Upng = typeof import('@pdf-lib/upng')

/** Its types name what its default export has. */
const upng: Upng = createRequire(import.meta.url)('@pdf-lib/upng').default

export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

/** Reads the first frame of a PNG. */
export function readPng(bytes: Uint8Array): Picture {
  const image = upng.decode(exactBuffer(bytes))
  return { width: image.width, height: image.height, rgba: new Uint8Array(upng.toRGBA8(image)[0]!) }
}

/** Writes frames of one size as a PNG. @param colors of all frames together, 256 at most. @param delaysMs of each frame. */
export function writePng(
  frames: readonly Picture[],
  colors: number,
  delaysMs?: readonly number[],
): Buffer {
  const { width, height } = frames[0]!
  const pixels = frames.map(({ rgba }) => exactBuffer(rgba))
  const delays = delaysMs === undefined ? undefined : [...delaysMs]
  return Buffer.from(upng.encode(pixels, width, height, colors, delays))
}

/** A picture of which each pixel is the mean of a square of so many; what is left at the edges is dropped. */
export function shrunk({ width: oldWidth, height: oldHeight, rgba }: Picture, by: number): Picture {
  const width = Math.floor(oldWidth / by)
  const height = Math.floor(oldHeight / by)
  const means = new Uint8Array(width * height * 4)
  for (let at = 0; at < means.length; at += 1) {
    const pixel = at >> 2
    const left = (pixel % width) * by
    const top = Math.floor(pixel / width) * by
    let sum = 0
    for (let cell = 0; cell < by * by; cell += 1) {
      const x = left + (cell % by)
      const y = top + Math.floor(cell / by)
      sum += rgba[(y * oldWidth + x) * 4 + (at & 3)]!
    }
    means[at] = Math.round(sum / (by * by))
  }
  return { width, height, rgba: means }
}

/** The part of the pixels, 0 to 1, of which a channel differs by more than so much; 1 for pictures of two sizes. */
export function differentPart(one: Picture, other: Picture, channelMax: number): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  for (let at = 0; at < one.rgba.length; at += 4) {
    const isOther = [0, 1, 2].some(
      (channel) => Math.abs(one.rgba[at + channel]! - other.rgba[at + channel]!) > channelMax,
    )
    if (isOther) count += 1
  }
  return count / (one.width * one.height)
}

function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
