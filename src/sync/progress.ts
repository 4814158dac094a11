/** Progress of a long command on stderr: a bar on a terminal, otherwise a line at every tenth. */
import { SingleBar } from 'cli-progress'
import { garbageCollector } from '../memory/garbage.ts'

interface ProgressTerminal {
  readonly report: (line: string) => void
  readonly interactive: boolean
}

export interface Progress {
  readonly phase: (name: string) => void
  /** Cheap enough to be called thousands of times. */
  readonly update: (fraction: number) => void
  /** Does not tear the bar: use it for everything else on stderr. */
  readonly note: (line: string) => void
  /** A bar keeps the process alive until then. */
  readonly stop: () => void
}

export function createProgress(
  terminal: ProgressTerminal,
  stream: NodeJS.WritableStream = process.stderr,
): Progress {
  return terminal.interactive ? drawnProgress(terminal, stream) : writtenProgress(terminal)
}

/** Does work with a progress, which stops with it. */
export function withProgress<T>(
  terminal: ProgressTerminal,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal)
  return work(progress).finally(progress.stop)
}

function drawnProgress(terminal: ProgressTerminal, stream: NodeJS.WritableStream): Progress {
  let bar: SingleBar | undefined
  const finish = () => {
    bar?.update(1)
    bar?.stop()
    bar = undefined
  }
  return {
    phase: (name) => {
      finish()
      bar = new SingleBar({ format: '{bar} {percentage} % {name}, {duration_formatted}', stream })
      bar.start(1, 0, { name })
    },
    update: (fraction) => bar?.update(clamp(fraction)),
    note: (line) => {
      // The bar returns to the cursor position it saved at its start, which the new line moves.
      if (bar !== undefined) stream.write('\r\u001b[2K')
      terminal.report(line)
      if (bar !== undefined) stream.write('\u001b7')
    },
    stop: finish,
  }
}

function writtenProgress(terminal: ProgressTerminal): Progress {
  let current: string | undefined
  let tenths = 0
  return {
    phase: (name) => {
      current = name
      tenths = 0
      terminal.report(name)
    },
    update: (fraction) => {
      const reached = Math.floor(clamp(fraction) * 10)
      if (current === undefined || reached <= tenths) return
      tenths = reached
      terminal.report(`${current}: ${tenths * 10} %`)
    },
    note: terminal.report,
    stop: () => {
      current = undefined
    },
  }
}

function clamp(fraction: number): number {
  return Math.min(1, Math.max(0, fraction))
}

export function eachPhaseOnce(progress: Progress): (phase: string, fraction: number) => void {
  let current = ''
  return (phase, fraction) => {
    if (phase !== current) progress.phase(phase)
    current = phase
    progress.update(fraction)
  }
}

/** What a phase has left unused is given back before the next. */
export function freeingEachPhase(progress: Progress): Progress {
  const collectGarbage = garbageCollector()
  return {
    ...progress,
    phase: (name) => {
      collectGarbage()
      progress.phase(name)
    },
  }
}
