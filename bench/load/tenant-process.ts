/** Sends requests of the owner of many checks until it is told to stop, and then says how many were answered. */
import { once } from 'node:events'
import type { TenantLoad } from './tenant.js'

const [load] = (await once(process, 'message')) as [TenantLoad]
const { origin, key, pingKey, checks, does, clients } = load
let isOver = false
let answered = 0
let next = 0
process.once('message', () => {
  isOver = true
})

const turns = {
  list: () => ask('GET', '/api/v3/checks/'),
  edit: () => ask('POST', `/api/v3/checks/${checks[next++ % checks.length]}`, { desc: `Edit ${next}` }),
  'ping new': () => ask('GET', `/ping/${pingKey}/new-${next++}?create=1`),
  async churn() {
    const made = await ask('POST', '/api/v3/checks/', { name: `Churn ${next++}`, channels: '*' })
    const { uuid } = JSON.parse(made) as { uuid: string }
    await ask('GET', `/ping/${uuid}/fail`)
    await ask('DELETE', `/api/v3/checks/${uuid}`)
  },
}

await Promise.all(
  Array.from({ length: clients }, async () => {
    while (!isOver) await turns[does]()
  }),
)
// Only now, so that what comes next is not measured beside requests that still wait.
process.send!(answered)

async function ask(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { 'X-Api-Key': key },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  answered++
  return text
}
