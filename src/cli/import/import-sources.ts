/** `punctual import` of everything but the database of Healthchecks. */
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { Json } from '../../core/config/project-config.js'
import type { CrontabFormat } from '../../core/discover/read-crontab.js'
import { Refusal } from '../../core/errors.js'
import { yamlValue } from '../../lib/formats/yaml-value.js'
import { withExample } from '../options.js'
import { type DraftOptions, importDraft, withDraft } from './import-draft.js'

interface MachineOptions extends DraftOptions {
  host?: string
  timezone?: string
  format?: CrontabFormat
}

interface KeyOptions extends DraftOptions {
  apiKey?: string
}

export function addImportSources(parent: Command): void {
  const fromApi = parent
    .command('healthchecks-api')
    .argument('<address>', 'the address of Healthchecks, such as https://healthchecks.io')
    .option(
      '--api-key <key>',
      'an API key of the project, read-write to see ping URLs (default: it is asked for)',
    )
    .description('Import the checks of a project of Healthchecks through its API; ping URLs change')
    .action(importHealthchecksApi)
  withExample(withDraft(fromApi), 'punctual import healthchecks-api https://healthchecks.io --dry-run')
  const cronitor = parent
    .command('cronitor')
    .argument('<file>', 'the YAML of Cronitor; `-` for standard input')
    .description('Import the jobs and heartbeats of Cronitor')
    .action(async (path: string, options: DraftOptions) => {
      const { readCronitor } = await import('../../core/import/drafts/read-cronitor.js')
      await importDraft('cronitor', readCronitor((await documentsOf(path))[0] ?? null), options)
    })
  withExample(withDraft(cronitor), 'punctual import cronitor cronitor.yaml --dry-run')
  const kuma = parent
    .command('uptime-kuma')
    .argument('<database>', 'the file kuma.db')
    .option(
      '--keep-tokens',
      'keep push tokens, so that jobs push as before; needs the token of an owner or manager',
    )
    .description('Import the push monitors of Uptime Kuma')
    .action(importUptimeKuma)
  withExample(withDraft(kuma), 'punctual import uptime-kuma kuma.db --dry-run')
  const kubernetes = parent
    .command('kubernetes')
    .argument('<file>', 'YAML with CronJobs; `-` for standard input')
    .description('Import CronJobs of Kubernetes')
    .action(async (path: string, options: DraftOptions) => {
      const { readCronJobs } = await import('../../core/import/drafts/read-cron-jobs.js')
      await importDraft('kubernetes', readCronJobs(await documentsOf(path), Date.now()), options)
    })
  withExample(withDraft(kubernetes), 'kubectl get cronjobs -A -o yaml | punctual import kubernetes -')
  const crontab = withMachine(parent.command('crontab'))
    .argument('<file>', 'a crontab; `-` for standard input')
    .addOption(
      new Option('--format <format>', 'with `system`, lines name a user').choices(['user', 'system']),
    )
    .description('Import the jobs of a crontab; `punctual discover` also lets them ping')
    .action(importCrontab)
  withExample(withDraft(crontab), 'ssh web1 crontab -l | punctual import crontab - --host web1')
  const systemd = withMachine(parent.command('systemd'))
    .argument('<file>', 'what `systemctl cat` prints of timers and their services; `-` for standard input')
    .description('Import timers of systemd')
    .action(importTimers)
  withExample(
    withDraft(systemd),
    "ssh web1 systemctl cat 'backup.timer' 'backup.service' | punctual import systemd - --host web1",
  )
}

function withMachine(command: Command): Command {
  return command
    .option('--host <name>', 'the name of the machine, in names and tags (default: its own)')
    .option('--timezone <zone>', 'the time zone of the machine (default: that of this one)')
}

async function importHealthchecksApi(address: string, options: KeyOptions): Promise<void> {
  const [{ fetchHealthchecks }, { readHealthchecksApi }, { baseAddress }] = await Promise.all([
    import('./fetch-healthchecks.js'),
    import('../../core/import/drafts/read-healthchecks-api.js'),
    import('../server/connection.js'),
  ])
  const { readSecret } = await import('../server/read-secret.js')
  const key = (options.apiKey ?? (await readSecret('API key: '))).trim()
  const { checks, channels } = await fetchHealthchecks(baseAddress(address), key)
  await importDraft('healthchecks-api', readHealthchecksApi(checks, channels), options)
}

async function importUptimeKuma(
  path: string,
  options: DraftOptions & { keepTokens?: boolean },
): Promise<void> {
  const [{ readKumaFile }, { readUptimeKuma }, { keepPushTokens }] = await Promise.all([
    import('../../storage/import/uptime-kuma-file.js'),
    import('../../core/import/drafts/read-uptime-kuma.js'),
    import('./keep-push-tokens.js'),
  ])
  const { keepTokens = false } = options
  if (keepTokens && options.output !== undefined)
    throw new Refusal(
      'invalid',
      'a file of configuration has no push tokens: use --keep-tokens without --output',
    )
  const draft = readUptimeKuma(await readKumaFile(path), keepTokens)
  await importDraft('uptime-kuma', draft, options, async (checks, api) => {
    if (keepTokens) await keepPushTokens(api, checks, draft.note)
  })
}

async function importCrontab(path: string, options: MachineOptions): Promise<void> {
  const { readCrontabText } = await import('../../core/import/drafts/read-jobs.js')
  await importDraft(
    'crontab',
    readCrontabText(await textOf(path), await machine(options), options.format),
    options,
  )
}

async function importTimers(path: string, options: MachineOptions): Promise<void> {
  const { readTimersText } = await import('../../core/import/drafts/read-jobs.js')
  await importDraft('systemd', readTimersText(await textOf(path), await machine(options)), options)
}

async function machine({ host, timezone }: MachineOptions) {
  const { machineSource } = await import('../discover/plan-machine.js')
  return machineSource({ ...(host !== undefined && { host }), ...(timezone !== undefined && { timezone }) })
}

async function textOf(path: string): Promise<string> {
  if (path === '-') {
    let text = ''
    process.stdin.setEncoding('utf8')
    for await (const piece of process.stdin) text += piece
    return text
  }
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal('not-found', `${path} cannot be read: ${error.code}`)
  })
}

/** The documents of a YAML file. Throws a `Refusal` with the place of a mistake. */
async function documentsOf(path: string): Promise<Json[]> {
  const { LineCounter, parseAllDocuments } = await import('yaml')
  const lines = new LineCounter()
  const documents = [...parseAllDocuments(await textOf(path), { lineCounter: lines })]
  const values: Json[] = []
  for (const document of documents) {
    const { value, problems } = await yamlValue(document)
    const [mistake] = problems
    if (mistake) {
      const { line, col } = lines.linePos(mistake.offset)
      throw new Refusal('invalid', `${path}:${line}:${col}: ${mistake.problem}`)
    }
    values.push(value as Json)
  }
  return values
}
