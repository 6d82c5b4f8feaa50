/** How long (ms) a process that stops waits for what is being sent, and then for results that are being recorded. */
const SENDING_MS = 4_000
const RECORDING_MS = 4_000

/**
 * Ends what is under way when the process stops: waits for it a moment, cuts it off, and waits a moment for the results that are being
 * recorded, because what was sent would be sent again once its claim is released. `ended`: resolves when nothing is under way.
 */
export async function finishUnderWay(ended: Promise<unknown>, cutOff: () => void): Promise<void> {
  await waitAtMost(SENDING_MS, ended)
  cutOff()
  await waitAtMost(RECORDING_MS, ended)
}

async function waitAtMost(ms: number, ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([ended, new Promise(resolve => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
