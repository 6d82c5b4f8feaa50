/** What every import that makes configuration does: a file, a plan, or the checks on the server. */
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { PunctualApi } from '../../client/index.js'
import type { Json } from '../../core/config/project-config.js'
import { escapeTexts } from '../../core/config/substitute.js'
import type { Draft } from '../../core/import/drafts/draft.js'
import { onlyProject } from '../checks/checks-create.js'
import { jsonOption } from '../options.js'
import { print, printJson } from '../print.js'
import { planLines } from '../projects/config-plan-words.js'
import { refusePlan } from '../projects/refuse-plan.js'
import { connect, type ServerOptions, type ServerProject, withServer } from '../server/connection.js'

export interface DraftOptions extends ServerOptions {
  output?: string
  channels?: string[]
  dryRun?: boolean
  json?: boolean
}

/** A check on the server that an import made or found. */
export interface ImportedCheck {
  key: string
  uuid: string
  /** Its ping URL at the source, if that is known, and here. */
  before: string | null
  after: string
}

/** Adds the options of imports that make configuration. */
export function withDraft(command: Command): Command {
  return withServer(command)
    .option('--output <file>', 'write a file for `punctual config apply` instead; `-` for standard output')
    .option(
      '--channels <keys...>',
      'the channels of new checks (default: all of the project; in a file: none)',
    )
    .option('--dry-run', 'print the plan and what cannot be carried over, and write nothing')
    .addOption(jsonOption())
}

/**
 * Writes the file, or plans and applies it as the file `SOURCE.yaml`, which owns the checks. Then prints everything that
 * was not carried over. `afterApply`: what is left to do with the checks on the server.
 */
export async function importDraft(
  source: string,
  draft: Draft,
  options: DraftOptions,
  afterApply?: (checks: readonly ImportedCheck[], api: PunctualApi) => Promise<void>,
): Promise<void> {
  if (options.output !== undefined) return await writeDraft(draft, options.output, options)
  const project = await onlyProject(await connect(options))
  const document = withChannels(draft, await channelsFor(project, options))
  const body = { document, owner: `${source}.yaml`, prune: false, max_deletes: null }
  const plan = await project.api.planConfig(body)
  refusePlan(plan.problems.map(({ at, problem }) => `${at.join('.')}: ${problem}`))
  const applies = !options.dryRun && plan.steps.length > 0
  if (applies) await project.api.applyConfig({ ...body, fingerprint: plan.fingerprint })
  const addresses = options.dryRun ? [] : await addressesOf(project, draft)
  if (!options.dryRun) await afterApply?.(addresses, project.api)
  if (options.json) return printJson({ ...plan, notes: draft.notes, addresses, written: applies })
  for (const line of planLines({ ...plan, left: [] })) print(line)
  printNotes(draft, print)
  if (addresses.length > 0) print('Ping URLs:')
  for (const { key, before, after } of addresses)
    print(`  ${key}: ${before === null ? '' : `${before} -> `}${after}`)
  if (options.dryRun) print('Nothing was written.')
}

async function writeDraft(draft: Draft, path: string, options: DraftOptions): Promise<void> {
  const { stringify } = await import('yaml')
  const text = stringify(escapeTexts(withChannels(draft, () => options.channels ?? null)))
  // What is printed beside the file itself must not get into it.
  const say = path === '-' ? (line: string) => void process.stderr.write(`${line}\n`) : print
  if (options.dryRun) say('Nothing was written.')
  else if (path === '-') process.stdout.write(text)
  else await writeFile(path, text)
  if (options.json && path !== '-') return printJson({ checks: draft.checks.size, notes: draft.notes })
  printNotes(draft, say)
  if (!options.dryRun && path !== '-')
    say(
      `Wrote ${draft.checks.size} ${draft.checks.size === 1 ? 'check' : 'checks'}. Next: punctual config plan ${path}`,
    )
}

function withChannels(draft: Draft, channelsOf: (key: string) => readonly string[] | null) {
  const checks = [...draft.checks].map(([key, values]) => {
    const channels = channelsOf(key)
    return [key, channels === null ? values : { ...values, channels }] as const
  })
  return { checks: Object.fromEntries(checks) } satisfies Json
}

/** The channels to give to a check; null for one that exists, which keeps its own. */
async function channelsFor({ api }: ServerProject, { channels }: DraftOptions) {
  const { document } = await api.exportConfig()
  const sections = document as { checks?: object; channels?: object }
  const known = new Set(Object.keys(sections.checks ?? {}))
  const all = channels ?? Object.keys(sections.channels ?? {})
  return (key: string) => (known.has(key) ? null : all)
}

/** The ping URLs of the checks, with those that they had where they are known. */
async function addressesOf({ api }: ServerProject, draft: Draft): Promise<ImportedCheck[]> {
  const slugs = new Map<string, { uuid: string; after: string }>()
  for await (const check of api.listChecks({}))
    if ('ping_url' in check && check.slug) slugs.set(check.slug, { uuid: check.uuid, after: check.ping_url })
  return [...draft.checks.keys()].flatMap(key => {
    const found = slugs.get(key)
    return found === undefined ? [] : [{ key, before: draft.addresses.get(key) ?? null, ...found }]
  })
}

function printNotes({ notes }: Draft, say: (line: string) => void): void {
  if (notes.length === 0) return
  say('Not carried over, or to look at:')
  for (const { subject, text } of notes) say(`  ${subject}: ${text}`)
}
