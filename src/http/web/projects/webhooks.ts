/** Event webhooks of a project on pages, for its owner and managers. */
import {
  createEventWebhook,
  rotateEventWebhookSecret,
  testEventWebhook,
} from '../../../actions/events/event-webhooks.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import { Refusal } from '../../../core/errors.js'
import { typesNamed } from '../../../core/events/event-filter.js'
import { runLength } from '../../../core/time/duration.js'
import { withRemedy } from '../../../lib/http/fetch-error.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import {
  AddWebhookPage,
  type TypedWebhook,
  WebhookPage,
} from '../../../views/pages/projects/event-webhook.js'
import { newEventWebhook } from '../../native/events/webhook-schemas.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { ownSession, requireUser } from '../people/session.js'
import { showOnce, takeShownOnce } from '../show-once.js'
import { tryForm } from '../try-form.js'
import { settingsPath } from './settings.js'

const NEW_WEBHOOK: TypedWebhook = { name: '', url: '', types: [] }

/** GET: the form for a new event webhook. */
export async function showAddWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  return await c.html(await addPage(c, project, NEW_WEBHOOK, null))
}

/** POST: creates the webhook; its page shows the secret once. */
export async function submitNewWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  const typed = await typedWebhook(c)
  const { store, config } = c.var.deps
  return await tryForm(
    c,
    async () => {
      const asked = { ...checked(typed), enabled: true }
      const { uuid, secret } = await createEventWebhook(store, config.SECRET_KEY, acting(c, project), asked)
      showOnce(c, pathOf(project, uuid), { what: 'webhook', text: secret, sentTo: null })
      return seeOther(c, pathOf(project, uuid))
    },
    problem => addPage(c, project, typed, problem),
  )
}

/** GET: a webhook, its newest requests, and what can be done with it. */
export async function showWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  return await c.html(await webhookPage(c, project, null, null))
}

/** POST: changes the name, the address and the types of events. */
export async function submitWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  const typed = await typedWebhook(c)
  return await tryForm(
    c,
    async () => await update(c, project, checked(typed), 'Event webhook saved.'),
    problem => webhookPage(c, project, typed, problem),
  )
}

/** POST: enables or disables a webhook. */
export async function switchWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  const enabled = (await formOf(c)).text('enabled') === 'on'
  const said = enabled
    ? 'Event webhook enabled. It is sent what happened in the meantime.'
    : 'Event webhook disabled.'
  return await update(c, project, { enabled }, said)
}

/** POST: makes a new secret, which the next page shows once. */
export async function rotateWebhookSecret(c: WebContext): Promise<Response> {
  const project = await managed(c)
  const { store, config } = c.var.deps
  const path = pathOf(project, uuidIn(c))
  const { secret } = await rotateEventWebhookSecret(store, config.SECRET_KEY, acting(c, project), uuidIn(c))
  showOnce(c, path, { what: 'webhook', text: secret, sentTo: null })
  return seeOther(c, path)
}

/** POST: sends a test, and waits for the answer. */
export async function testWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  const { store, clock, config, delivery } = c.var.deps
  const { uuid: user } = requireUser(c).user
  await limitAttempts(store, clock, { test: `${uuidIn(c)}:${user}`, tests: user })
  const posting = { transports: delivery.transports, secretKeys: secretKeysOf(config), clock }
  const { error, durationMs } = await testEventWebhook(store, posting, project.id, uuidIn(c))
  if (error === '') setFlash(c, 'good', `The test arrived in ${runLength(durationMs)}.`)
  else setFlash(c, 'bad', `The test did not arrive: ${withRemedy(error)}`)
  return seeOther(c, pathOf(project, uuidIn(c)))
}

/** POST: deletes a webhook. */
export async function removeWebhook(c: WebContext): Promise<Response> {
  const project = await managed(c)
  const { by, now } = acting(c, project)
  await c.var.deps.store.events.deleteWebhook(project.id, uuidIn(c), { by, now })
  setFlash(c, 'good', 'Event webhook deleted.')
  return seeOther(c, `${settingsPath(project)}#webhooks`)
}

async function managed(c: WebContext): Promise<ProjectAccess> {
  return await projectOf(c, c.req.param('uuid')!, 'manage')
}

const uuidIn = (c: WebContext) => c.req.param('webhook')!

const pathOf = ({ uuid }: ProjectAccess, webhook: string) => `/projects/${uuid}/webhooks/${webhook}/`

function acting(c: WebContext, { id }: ProjectAccess) {
  return { projectId: id, by: ownSession(c), now: c.var.deps.clock.now() }
}

async function update(
  c: WebContext,
  project: ProjectAccess,
  changes: Partial<ReturnType<typeof checked>> & { enabled?: boolean },
  said: string,
): Promise<Response> {
  const { by, now } = acting(c, project)
  await c.var.deps.store.events.updateWebhook(project.id, uuidIn(c), { ...changes, by, now })
  setFlash(c, 'good', said)
  return seeOther(c, pathOf(project, uuidIn(c)))
}

async function typedWebhook(c: WebContext): Promise<TypedWebhook> {
  const form = await formOf(c)
  return { name: form.text('name'), url: form.text('url').trim(), types: form.all('types') }
}

/** The values by the rules of the API. Throws a `Refusal` for the first wrong one. */
function checked(typed: TypedWebhook) {
  const { success, data, error } = newEventWebhook().safeParse(typed)
  if (!success) {
    const [{ path, message }] = error.issues as [(typeof error.issues)[0]]
    const field = String(path[0])
    throw new Refusal('invalid', `${LABELS[field] ?? 'the form'} is ${message}`, field)
  }
  return { name: data.name, url: data.url, types: typesNamed(data.types)! }
}

const LABELS: Readonly<Record<string, string>> = {
  name: 'the name',
  url: 'the address',
  types: 'the list of events',
}

async function addPage(c: WebContext, project: ProjectAccess, typed: TypedWebhook, problem: Problem | null) {
  const action = `/projects/${project.uuid}/webhooks/add/`
  const cancel = `${settingsPath(project)}#webhooks`
  return AddWebhookPage({ page: await pageContext(c, project), action, cancel, typed, problem })
}

async function webhookPage(
  c: WebContext,
  project: ProjectAccess,
  typed: TypedWebhook | null,
  problem: Problem | null,
) {
  const { events } = c.var.deps.store
  const webhook = await events.webhook(project.id, uuidIn(c))
  const [page, attempts] = await Promise.all([pageContext(c, project), events.webhookAttempts(webhook.id)])
  const path = pathOf(project, webhook.uuid)
  const shown = takeShownOnce(c, path)
  return WebhookPage({
    page,
    path,
    settings: `${settingsPath(project)}#webhooks`,
    webhook,
    attempts,
    typed: typed ?? webhook,
    problem,
    shown: shown?.what === 'webhook' ? shown.text : null,
  })
}
