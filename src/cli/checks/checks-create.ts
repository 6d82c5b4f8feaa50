import type { Command } from 'commander'
import { type Api, ApiError, type PunctualApi } from '../../client/index.js'
import { slugify } from '../../core/checks/slugify.js'
import { Refusal } from '../../core/errors.js'
import { jsonOption, parseSeconds, withExample } from '../options.js'
import { print, printJson, warn } from '../print.js'
import {
  connect,
  type Server,
  type ServerOptions,
  type ServerProject,
  withServer,
} from '../server/connection.js'

interface Options extends ServerOptions {
  slug?: string
  tags?: string
  every?: number
  cron?: string
  oncalendar?: string
  timezone?: string
  grace?: number
  json?: boolean
}

export function addChecksCreate(parent: Command): void {
  const command = withServer(parent.command('create'))
    .argument('<name>', 'the name of the new check')
    .option('--slug <slug>', 'names it in ping URLs; made from the name by default')
    .option('--tags <tags>', 'tags, separated by spaces')
    .option('--every <duration>', 'the period, such as `1h` or `1 day`', parseSeconds)
    .option('--cron <expression>', 'a cron expression instead of a period')
    .option('--oncalendar <expression>', 'an OnCalendar expression instead of a period')
    .option(
      '--timezone <zone>',
      'the time zone of the schedule, such as Europe/Riga (default: that of this machine)',
    )
    .option('--grace <duration>', 'how late a ping may be, such as `10m`', parseSeconds)
    .addOption(jsonOption())
    .description('Create a check and print its ping URL; all channels of the project are used')
    .action(createCheck)
  withExample(command, 'punctual checks create "Nightly backup" --cron "15 3 * * *" --grace 1h')
}

async function createCheck(name: string, options: Options): Promise<void> {
  const { slug, tags, every, grace, json, ...server } = options
  const schedule = scheduleOf(options)
  const project = await onlyProject(await connect(server))
  const made = await project.api.createCheck({
    name,
    slug: slug ?? slugify(name),
    channels: await channelsOf(project.api),
    ...(tags === undefined ? {} : { tags: tags.split(' ').filter(tag => tag !== '') }),
    ...(every === undefined ? {} : { period: every }),
    ...(grace === undefined ? {} : { grace }),
    ...schedule,
  })
  if (json) return printJson(made)
  print(`Created ${made.name}. Its ping URL:`)
  print(made.ping_url)
}

function scheduleOf({ every, cron, oncalendar, timezone }: Options): Api.NewCheck {
  const given = [every, cron, oncalendar].filter(value => value !== undefined)
  if (given.length > 1) throw new Refusal('invalid', 'give one of --every, --cron and --oncalendar')
  const schedule = cron ?? oncalendar
  if (schedule === undefined) {
    if (timezone !== undefined) throw new Refusal('invalid', '--timezone belongs to --cron or --oncalendar')
    return {}
  }
  return { schedule, tz: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** The project in which a check is created. Throws a `Refusal` if there is none, or more than one. */
export async function onlyProject(server: Server): Promise<ServerProject> {
  const projects = await server.projects()
  const [project, ...others] = projects
  if (!project) throw new Refusal('not-found', 'the token has no project')
  if (others.length > 0)
    throw new Refusal(
      'invalid',
      `name the project with --project: ${projects.map(one => one.name).join(', ')}`,
    )
  return project
}

/** The channels of the project; none, with a warning, if the token may not list them. */
export async function channelsOf(api: PunctualApi): Promise<string[]> {
  const uuids: string[] = []
  try {
    for await (const { uuid } of api.listChannels()) uuids.push(uuid)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error
    warn(`the new check has no channels, so nobody is alerted: ${error.message}`)
  }
  return uuids
}
