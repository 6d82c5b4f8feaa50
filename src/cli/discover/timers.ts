import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceOf, type TimerFiles } from '../../core/discover/plan-timer.js'
import { replaceFile } from './sources.js'

/** Where units are, the most important first. Source: systemd.unit(5), UNIT FILE LOAD PATH. */
const FOLDERS = [
  'etc/systemd/system',
  'run/systemd/system',
  'usr/local/lib/systemd/system',
  'usr/lib/systemd/system',
  'lib/systemd/system',
]

const DROP_IN = 'punctual.conf'

/** The timers of the system that are enabled, below `root`. Files are read, so that systemd need not run. */
export async function timersOfMachine(root: string): Promise<TimerFiles[]> {
  const names = new Set<string>()
  for (const folder of FOLDERS) {
    for (const wants of (await namesIn(join(root, folder))).filter(name => name.endsWith('.wants'))) {
      for (const unit of await namesIn(join(root, folder, wants))) {
        if (unit.endsWith('.timer')) names.add(unit.slice(0, -'.timer'.length))
      }
    }
  }
  const found: TimerFiles[] = []
  for (const name of [...names].sort()) {
    const timer = await unitText(root, `${name}.timer`)
    if (timer === '') continue
    const service = serviceOf(name, timer)
    const dropIn = await readFile(dropInPath(root, service), 'utf8').catch(() => null)
    found.push({ name, timer, service: await unitText(root, service), dropIn })
  }
  return found
}

/** Where our drop-in of a service is. */
export function dropInPath(root: string, service: string): string {
  return join(root, 'etc/systemd/system', `${service}.d`, DROP_IN)
}

/** Writes our drop-in of a service, whole or not at all. */
export async function writeDropIn(root: string, service: string, text: string): Promise<void> {
  const path = dropInPath(root, service)
  await mkdir(join(path, '..'), { recursive: true })
  await replaceFile(path, text)
}

/** The text of a unit and of its drop-ins, but for ours; that of the template for an instance. Empty if there is none. */
async function unitText(root: string, unit: string): Promise<string> {
  const template = unit.replace(/@[^.]*\./, '@.')
  const texts: string[] = []
  for (const name of new Set([unit, template])) {
    for (const folder of FOLDERS) {
      const text = await readFile(join(root, folder, name), 'utf8').catch(() => null)
      if (text === null) continue
      texts.push(text)
      break
    }
    if (texts.length > 0) break
  }
  if (texts.length === 0) return ''
  for (const name of new Set([template, unit])) {
    for (const folder of [...FOLDERS].reverse()) {
      for (const file of await namesIn(join(root, folder, `${name}.d`))) {
        if (!file.endsWith('.conf') || file === DROP_IN) continue
        texts.push(await readFile(join(root, folder, `${name}.d`, file), 'utf8').catch(() => ''))
      }
    }
  }
  return texts.join('\n')
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}
