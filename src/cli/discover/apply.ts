import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PunctualApi } from '../../client/index.js'
import { rewriteCrontab } from '../../core/discover/plan-crontab.js'
import { dropInText } from '../../core/discover/plan-timer.js'
import type { ProposedCheck } from '../../core/discover/proposed-check.js'
import { Refusal } from '../../core/errors.js'
import { channelsOf, onlyProject } from '../checks/checks-create.js'
import { connect, type ServerOptions } from '../server/connection.js'
import type { MachinePlan } from './plan-machine.js'
import { writeDropIn } from './timers.js'

interface Options extends ServerOptions {
  root: string
  copies?: string
}

/**
 * Makes the checks of a plan and lets their jobs ping, file by file. What was interrupted is completed by another run,
 * since a check is found by its slug. `say` gets a line for each change.
 */
export async function applyPlan(
  plan: MachinePlan,
  options: Options,
  say: (line: string) => void,
): Promise<void> {
  const { api } = await onlyProject(await connect(options))
  let channels: string[] | null = null
  const ensure = async (check: ProposedCheck) => {
    const known = await findBySlug(api, check.slug)
    if (known === null) {
      channels ??= await channelsOf(api)
      const { name, slug, grace, tags } = check
      const made = await api.createCheck({
        name,
        slug,
        grace,
        tags: tags.split(' '),
        channels,
        ...timing(check),
      })
      say(`Created ${slug}.`)
      return made.ping_url
    }
    if (!isExpectedSo(known, check)) {
      await api.patchCheck(known.uuid, timing(check))
      say(`Changed the time of ${check.slug}.`)
    }
    return known.ping_url
  }

  for (const { file, lines } of plan.crontabs) {
    const addresses = new Map<number, string>()
    for (const { line, check } of lines) if (check !== null) addresses.set(line, await ensure(check))
    const written = rewriteCrontab(file.text, lines, addresses)
    if (written === file.text && file.name !== 'standard input') continue
    if (written !== file.text && file.name !== 'standard input')
      say(`Copied ${file.name} to ${await copy(file, options)}.`)
    await file.write(written)
    say(`Rewrote ${file.name}.`)
  }

  let needsReload = false
  for (const { service, check, pings } of plan.timers) {
    if (check === null) continue
    const address = await ensure(check)
    if (address === pings) continue
    await writeDropIn(options.root, service, dropInText(check.slug, address))
    say(`${service} pings when it ends.`)
    needsReload = true
  }
  if (needsReload) await reload(options.root, say)
}

function timing({ period, schedule, tz }: ProposedCheck) {
  return schedule === null ? { period: period! } : { schedule, tz }
}

interface KnownCheck {
  uuid: string
  ping_url: string
  schedule?: string
  tz?: string
  period?: number
}

async function findBySlug(api: PunctualApi, slug: string): Promise<KnownCheck | null> {
  for await (const check of api.listChecks({ slug, limit: 2 })) {
    if ('uuid' in check) return check as KnownCheck
    throw new Refusal('forbidden', 'the token may only read checks')
  }
  return null
}

function isExpectedSo(known: KnownCheck, check: ProposedCheck): boolean {
  if (check.schedule === null) return known.period === check.period
  return known.schedule === check.schedule && known.tz === check.tz
}

/** Copies a crontab, and returns where to. Only this user can read it, since commands may contain passwords. */
async function copy(file: { name: string; bytes: Buffer }, options: Options): Promise<string> {
  const folder = options.copies ?? join(homedir(), '.local/state/punctual/crontabs')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stem = file.name.replace(/[^\w.-]+/g, '-').replace(/^-+/, '')
  for (let n = 1; ; n++) {
    const path = join(folder, `${stem}.${n}`)
    if (existsSync(path)) continue
    await writeFile(path, file.bytes, { mode: 0o600, flag: 'wx', flush: true })
    return path
  }
}

async function reload(root: string, say: (line: string) => void): Promise<void> {
  if (root === '/' && existsSync('/run/systemd/system')) {
    await promisify(execFile)('systemctl', ['daemon-reload'])
  } else say('Run systemctl daemon-reload on that machine.')
}
