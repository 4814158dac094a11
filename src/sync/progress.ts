/** What a sync reports of itself while it runs; whoever runs it shows it or lets it be. */

/** How far a sync is: one phase at a time. */
export interface SyncProgress {
  /** Ends the phase before and begins this one: `reading authorities`. */
  readonly phase: (name: string) => void
  /** The share of the phase that is done, 0 to 1; called thousands of times. */
  readonly update: (fraction: number) => void
  /** A line for a person, such as a reject. */
  readonly note: (line: string) => void
}

/** Takes phases with every share of them, and passes each phase on once. */
export function eachPhaseOnce(progress: SyncProgress): (phase: string, fraction: number) => void {
  let current = ''
  return (phase, fraction) => {
    if (phase !== current) progress.phase(phase)
    current = phase
    progress.update(fraction)
  }
}
