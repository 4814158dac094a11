/**
 * Doubles in memory that all threads share, exchanged in one piece: a double is replaced only while it is what the
 * thread took it for. Invariant: every thread that has the same memory uses the same instructions on it.
 *
 * `Atomics` has 64 bits as BigInts only, each an object: an exchange and the look before it left 72 bytes to collect
 * and took 104 ns, where two instructions of WebAssembly leave none and take 17 (measured with Node 20). V8 reserves
 * 10 GiB of addresses for each memory of WebAssembly; where a limit (`ulimit -v`) refuses them, BigInts serve.
 */

/** Memory of doubles: a plain value to hand to a worker thread. */
export interface SharedDoublesMemory {
  readonly buffer: SharedArrayBuffer
}

/** The part of WebAssembly that is used here, which neither ES2023 nor Node's types describe. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    initial: number
    maximum: number
    shared: true
  }) => SharedDoublesMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly replace: Replace } }
}

/** Each double in two halves: what a call passes as a double is an object, where the call is not inlined. */
type Replace = (
  index: number,
  fromLow: number,
  fromHigh: number,
  toLow: number,
  toHigh: number,
) => number

const bytesPerPage = 65_536

/** Memory of so many doubles, all 0; untouched pages of it cost nothing but addresses. Keep few of them. */
export function createSharedDoubles(count: number): SharedDoublesMemory {
  const pages = Math.max(1, Math.ceil((count * Float64Array.BYTES_PER_ELEMENT) / bytesPerPage))
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (error) {
    if (error instanceof RangeError) return createPlainDoubles(count)
    throw error
  }
}

/** The same memory with few addresses, whose exchanges allocate. */
export function createPlainDoubles(count: number): SharedDoublesMemory {
  return { buffer: new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT) }
}

export class SharedDoubles {
  /** For looks that an exchange confirms, or that may be of a moment ago. */
  readonly values: Float64Array
  readonly #first: number
  readonly #replace: Replace
  /** The expected and the new value of an exchange, and their halves. */
  readonly #words = new Float64Array(2)
  readonly #halves = new Int32Array(this.#words.buffer)

  /** @param first where the doubles of the view begin in the memory. */
  constructor(memory: SharedDoublesMemory, count: number, first = 0) {
    this.#first = first
    this.values = new Float64Array(memory.buffer, first * Float64Array.BYTES_PER_ELEMENT, count)
    const isCompiled = memory instanceof WebAssembly.Memory
    this.#replace = isCompiled ? compiledFor(memory) : plainFor(memory)
  }

  /** Replaces a double if it has the expected value, bit by bit. Returns whether it had. @throws RangeError beyond the last. */
  replace(index: number, from: number, to: number): boolean {
    // A memory has whole pages: the instructions themselves would go on behind the last double.
    if (!(index >= 0 && index < this.values.length)) throw new RangeError(`no double ${index}`)
    const [place, halves] = [this.#first + index, this.#halves]
    this.#words[0] = from
    this.#words[1] = to
    return this.#replace(place, halves[0]!, halves[1]!, halves[2]!, halves[3]!) === 1
  }
}

function plainFor({ buffer }: SharedDoublesMemory): Replace {
  const bits = new BigInt64Array(buffer)
  const halves = new Int32Array(4)
  const wordBits = new BigInt64Array(halves.buffer)
  return (index, ...given) => {
    halves.set(given)
    const [from, to] = [wordBits[0]!, wordBits[1]!]
    return Atomics.compareExchange(bits, index, from, to) === from ? 1 : 0
  }
}

function compiledFor(memory: SharedDoublesMemory): Replace {
  const module = new WebAssembly.Module(moduleBytes)
  return new WebAssembly.Instance(module, { shared: { memory } }).exports.replace
}

/**
 * The module, compiled from this text (WebAssembly 2.0 with the instructions of its threads proposal):
 *
 *     (module
 *       (import "shared" "memory" (memory 0 65536 shared))
 *       (func (export "replace") (param i32 i32 i32 i32 i32) (result i32)
 *         (i64.eq
 *           (i64.atomic.rmw.cmpxchg (i32.shl (local.get 0) (i32.const 3))
 *             (i64.or (i64.shl (i64.extend_i32_u (local.get 2)) (i64.const 32))
 *               (i64.extend_i32_u (local.get 1)))
 *             (i64.or (i64.shl (i64.extend_i32_u (local.get 4)) (i64.const 32))
 *               (i64.extend_i32_u (local.get 3))))
 *           (i64.or (i64.shl (i64.extend_i32_u (local.get 2)) (i64.const 32))
 *             (i64.extend_i32_u (local.get 1))))))
 */
const moduleBytes = Buffer.from(
  'AGFzbQEAAAABCgFgBX9/f39/AX8CFQEGc2hhcmVkBm1lbW9yeQIDAICABAMCAQAHCwEHcmVwbGFjZQAACiwBKgAgAEEDdCACrUIghiABrY' +
    'QgBK1CIIYgA62E/kkDACACrUIghiABrYRRCw==',
  'base64',
)
