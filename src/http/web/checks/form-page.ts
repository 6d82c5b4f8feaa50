import type { CheckKind, Timing } from '../../../core/checks/check.js'
import { type CheckForm, type FormErrors, readTiming } from '../../../core/checks/check-form.js'
import { zoneNames } from '../../../core/schedule/index.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { CheckFormPage } from '../../../views/pages/checks/check-form.js'
import type { WebContext } from '../context.js'
import type { Form } from '../form.js'
import { pageContext } from '../page-context.js'
import { shownChannels } from './shown-channels.js'

/** The form of a new check. */
export const NEW_FORM: CheckForm = {
  name: '',
  slug: '',
  tags: '',
  desc: '',
  kind: 'simple',
  period: '1 day',
  grace: '1 hour',
  cron: '',
  oncalendar: '',
  tz: '',
  methods: '',
  manualResume: false,
  filterSubject: false,
  filterBody: false,
  filterHttpBody: false,
  filterDefaultFail: false,
  startKw: '',
  successKw: '',
  failureKw: '',
}

/** The fields that a browser sent. `text`: the value of a field, empty where it is missing. */
export function sentForm(text: (name: string) => string): CheckForm {
  const kind = text('kind')
  return {
    name: text('name'),
    slug: text('slug'),
    tags: text('tags'),
    desc: text('desc'),
    kind: kind === 'cron' || kind === 'oncalendar' ? kind : 'simple',
    period: text('period'),
    grace: text('grace'),
    cron: text('cron'),
    oncalendar: text('oncalendar'),
    tz: text('tz'),
    methods: text('methods') === 'POST' ? 'POST' : '',
    manualResume: text('manual_resume') === 'true',
    filterSubject: text('filter_subject') === 'true',
    filterBody: text('filter_body') === 'true',
    filterHttpBody: text('filter_http_body') === 'true',
    filterDefaultFail: text('filter_default_fail') === 'true',
    startKw: text('start_kw'),
    successKw: text('success_kw'),
    failureKw: text('failure_kw'),
  }
}

/** The timing that a form names, or what is wrong with it, for the preview. */
export function shownTiming(form: CheckForm): Timing | { errors: FormErrors } {
  const errors: FormErrors = {}
  const timing = readTiming(form, errors)
  if (Object.keys(errors).length > 0) return { errors }
  const kind: CheckKind = form.kind
  return { kind, periodSeconds: 0, schedule: '', tz: 'UTC', ...timing } as Timing
}

/** The page of the form. `sent`: what was chosen in it, where it was sent. */
export async function formPage(
  c: WebContext,
  project: ProjectAccess,
  check: { uuid: string; label: string } | null,
  form: CheckForm,
  errors: FormErrors,
  sent: Form | null,
): Promise<Response> {
  const timing = shownTiming(form)
  // A preview marks what is wrong with the schedule too.
  const wrong = sent?.has('preview') && 'errors' in timing ? timing.errors : errors
  const channels = check ? [] : await c.var.deps.store.listChannels(project.id)
  const isOn = (uuid: string) => !sent || sent.all('channel').includes(uuid)
  const view = CheckFormPage({
    page: await pageContext(c, project),
    check,
    project,
    form,
    errors: wrong,
    timing,
    zones: zoneNames(),
    channels: shownChannels(channels).map(channel => ({ ...channel, on: isOn(channel.uuid) })),
  })
  return await c.html(view, Object.keys(wrong).length > 0 ? 400 : 200)
}
