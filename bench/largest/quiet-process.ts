/** Sends the pings of the quiet tenant at even intervals until it is told to stop, and then says how they went. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { QuietLoad, QuietPing } from './quiet.js'

const EVERY_MS = { pinged: 25, failing: 200, silent: 200 } as const

const [load] = (await once(process, 'message')) as [QuietLoad]
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
const pings: QuietPing[] = []
let isOver = false
process.once('message', () => {
  isOver = true
})

await Promise.all([sendAll('pinged', 0), sendAll('failing', 50), sendAll('silent', 150)])
process.send!(pings)

async function sendAll(what: QuietPing['what'], offsetMs: number): Promise<void> {
  const paths = load[what]
  const begun = Date.now() + offsetMs
  const answers: Promise<void>[] = []
  for (let count = 0; !isOver && (what === 'pinged' || count < paths.length); count++) {
    const at = begun + count * EVERY_MS[what]
    await new Promise(resolve => setTimeout(resolve, Math.max(0, at - Date.now())))
    answers.push(sendOne(what, count % paths.length, at))
  }
  await Promise.all(answers)
}

async function sendOne(what: QuietPing['what'], place: number, at: number): Promise<void> {
  let isRefused = false
  try {
    const asked = request(`${load.origin}${load[what][place]}`, { agent, timeout: 60_000 }).end()
    const [answer] = await once(asked, 'response')
    answer.resume()
    await once(answer, 'end')
    isRefused = answer.statusCode !== 200
  } catch {
    isRefused = true
  }
  pings.push({ what, place, at, ms: Date.now() - at, isRefused })
}
