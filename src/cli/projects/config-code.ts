/** `punctual config validate|plan|apply|export`: configuration as code. */
import { type Command, InvalidArgumentError } from 'commander'
import type { ConfigFile } from '../../actions/projects/config/read-config-file.js'
import type { Api } from '../../client/index.js'
import { onlyProject } from '../checks/checks-create.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { connect, type ServerOptions, withServer } from '../server/connection.js'
import { refusePlan } from './refuse-plan.js'

interface Options extends ServerOptions {
  prune?: boolean
  maxDeletes?: number
  owner?: string
  json?: boolean
}

/** The exit status of a plan with changes. */
const CHANGES = 3

const FILE = 'punctual.yaml'

export function addConfigCode(parent: Command): void {
  const validate = parent
    .command('validate')
    .argument('[file]', 'the file', FILE)
    .description('Say what is wrong with a file of configuration, without a server')
    .action(validateFile)
  withExample(validate, 'punctual config validate punctual.yaml')
  const plan = withFile(parent.command('plan'))
    .description('Print what applying a file would change; the exit status is 3 if it would')
    .action(async (file: string, _, command: Command) => await planFile(file, command.optsWithGlobals()))
  withExample(plan, 'punctual config plan punctual.yaml')
  const apply = withFile(parent.command('apply'))
    .description('Make a project as a file describes it')
    .action(async (file: string, _, command: Command) => await applyFile(file, command.optsWithGlobals()))
  withExample(apply, 'SLACK_URL=https://… punctual config apply --prune punctual.yaml')
  const exporting = withServer(parent.command('export'))
    .addOption(jsonOption())
    .description('Print the file that describes a project, with a variable for each secret')
    .action(async (_, command: Command) => await exportProject(command.optsWithGlobals()))
  withExample(exporting, 'punctual config export > punctual.yaml')
}

function withFile(command: Command): Command {
  return withServer(command)
    .argument('[file]', 'the file', FILE)
    .option('--prune', 'delete what the file made and no longer has')
    .option('--max-deletes <count>', 'how many objects may be deleted (default: a fifth)', wholeNumber)
    .option('--owner <name>', 'the name under which the file owns objects (default: its name)')
    .addOption(jsonOption())
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

async function validateFile(path: string): Promise<void> {
  await load(path)
  print(`${path} is valid.`)
}

async function planFile(path: string, options: Options): Promise<void> {
  const file = await load(path)
  const { plan } = await planned(file, options)
  await show(plan, options)
  if (plan.steps.length > 0) process.exitCode = CHANGES
}

async function applyFile(path: string, options: Options): Promise<void> {
  const file = await load(path)
  const { plan, project, body } = await planned(file, options)
  if (plan.steps.length > 0) await project.api.applyConfig({ ...body, fingerprint: plan.fingerprint })
  await show(plan, options)
  if (!options.json && plan.steps.length > 0) print('Applied.')
}

async function exportProject(options: Options): Promise<void> {
  const { api } = await onlyProject(await connect(options))
  const exported = await api.exportConfig()
  if (options.json) return printJson(exported)
  const { stringify } = await import('yaml')
  process.stdout.write(stringify(exported.document))
  if (exported.variables.length === 0) return
  const names = exported.variables.map(({ name, at }) => `  ${name} (${at.join('.')})`)
  process.stderr.write(`Set these variables when you apply it:\n${names.join('\n')}\n`)
}

/** The file, if nothing is wrong with it. Throws a `Refusal` with a line for each problem. */
async function load(path: string): Promise<ConfigFile> {
  const [{ readConfigFile }, { configVariables }] = await Promise.all([
    import('../../actions/projects/config/read-config-file.js'),
    import('../../config.js'),
  ])
  const file = await readConfigFile(path, configVariables())
  refusePlan(file.problems)
  return file
}

async function planned({ document, name, describe }: ConfigFile, options: Options) {
  const project = await onlyProject(await connect(options))
  const body = {
    document: document as Record<string, unknown>,
    owner: options.owner ?? name,
    prune: options.prune ?? false,
    max_deletes: options.maxDeletes ?? null,
  }
  const plan = await project.api.planConfig(body)
  refusePlan(plan.problems.map(describe))
  return { plan, project, body }
}

async function show(plan: Api.ConfigPlan, { json }: Options): Promise<void> {
  if (json) return printJson(plan)
  const { planLines } = await import('./config-plan-words.js')
  for (const line of planLines(plan)) print(line)
}
