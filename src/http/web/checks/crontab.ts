import { checkValues, timingValues } from '../../../core/discover/check-values.js'
import {
  keptSlugs,
  MAX_PASTED,
  MAX_PASTED_JOBS,
  type PlannedLine,
  planCrontab,
  rewriteCrontab,
} from '../../../core/discover/plan-crontab.js'
import { guessFormat, readCrontab } from '../../../core/discover/read-crontab.js'
import { Refusal } from '../../../core/errors.js'
import { canonicalZone, zoneNames } from '../../../core/schedule/index.js'
import { sentence } from '../../../core/text/sentence.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import {
  type CrontabErrors,
  type CrontabForm,
  CrontabPage,
  CrontabResultPage,
} from '../../../views/pages/checks/crontab.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { type Form, formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../people/session.js'

/** GET: the form in which a crontab is pasted. */
export async function showCrontab(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const form = { crontab: '', format: '', tz: requireUser(c).user.timezone }
  return await showForm(c, project, form, {}, null)
}

/** POST: shows the checks that would be made, or with `create` makes those that are chosen and shows the lines. */
export async function submitCrontab(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const sent = await formOf(c)
  const form = { crontab: sent.text('crontab'), format: sent.text('format'), tz: sent.text('tz').trim() }
  const errors = errorsOf(form)
  if (Object.keys(errors).length > 0) return await showForm(c, project, form, errors, null)
  const used = new Set(await c.var.deps.store.checks.usedSlugs(project.id))
  const plan = planOf(c, form, used)
  if (!sent.has('create')) return await showForm(c, project, form, {}, { plan, used })
  const chosen = chosenLines(sent, plan)
  const { addresses, problem } = await makeChecks(c, project, chosen, used)
  const page = await pageContext(c, project)
  return c.html(
    CrontabResultPage({
      page,
      project,
      text: rewriteCrontab(form.crontab, chosen, addresses),
      made: addresses.size,
      problem,
    }),
  )
}

function errorsOf({ crontab, format, tz }: CrontabForm): CrontabErrors {
  const errors: CrontabErrors = {}
  if (canonicalZone(tz) === null) errors.tz = 'Choose a time zone such as Europe/Riga.'
  if (crontab.trim() === '') errors.crontab = 'Paste what `crontab -l` prints.'
  else if (crontab.length > MAX_PASTED) errors.crontab = 'At most 64 kB at once.'
  else {
    const jobs = readCrontab(crontab, formatOf({ crontab, format })).length
    if (jobs === 0) errors.crontab = 'There is no job in this: it has only comments and settings.'
    if (jobs > MAX_PASTED_JOBS) errors.crontab = `At most ${MAX_PASTED_JOBS} jobs at once; this has ${jobs}.`
  }
  return errors
}

function formatOf({ crontab, format }: Pick<CrontabForm, 'crontab' | 'format'>) {
  return format === 'user' || format === 'system' ? format : guessFormat(crontab)
}

function planOf(c: WebContext, form: CrontabForm, used: ReadonlySet<string>): PlannedLine[] {
  const format = formatOf(form)
  return planCrontab(form.crontab, {
    format,
    tz: canonicalZone(form.tz)!,
    host: '',
    now: c.var.deps.clock.now(),
    taken: new Set([...used, ...keptSlugs(form.crontab, format)]),
  })
}

/** The lines that were chosen, with the slugs that were shown, so that a form that is sent twice makes a check once. */
function chosenLines(sent: Form, plan: readonly PlannedLine[]): PlannedLine[] {
  const slugs = new Map(
    sent.all('line').flatMap(value => {
      const [, line, slug] = /^(\d{1,6}):([a-z0-9_-]{1,100})$/.exec(value) ?? []
      return slug === undefined ? [] : [[Number(line), slug] as const]
    }),
  )
  return plan.flatMap(planned => {
    const slug = slugs.get(planned.line)
    return planned.check === null || slug === undefined
      ? []
      : [{ ...planned, check: { ...planned.check, slug } }]
  })
}

/** Makes the checks, or gives existing ones the time of their line. Returns the addresses to ping by line. */
async function makeChecks(
  c: WebContext,
  project: ProjectAccess,
  lines: readonly PlannedLine[],
  used: ReadonlySet<string>,
): Promise<{ addresses: Map<number, string>; problem: string | null }> {
  const { store, clock, config } = c.var.deps
  const addresses = new Map<number, string>()
  for (const { line, check } of lines) {
    const isNew = !used.has(check!.slug)
    try {
      const written = await store.checks.create(project.id, {
        changes: isNew ? checkValues(check!) : timingValues(check!),
        channels: isNew ? '*' : undefined,
        unique: { slug: check!.slug },
        now: clock.now(),
      })
      addresses.set(line, config.PING_ENDPOINT + written.check.uuid)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'limit') throw error
      return { addresses, problem: sentence(error.message) }
    }
  }
  return { addresses, problem: null }
}

async function showForm(
  c: WebContext,
  project: ProjectAccess,
  form: CrontabForm,
  errors: CrontabErrors,
  found: { plan: readonly PlannedLine[]; used: ReadonlySet<string> } | null,
): Promise<Response> {
  const page = await pageContext(c, project)
  const status = Object.keys(errors).length > 0 ? 400 : 200
  return c.html(CrontabPage({ page, project, form, errors, zones: zoneNames(), found }), status)
}
