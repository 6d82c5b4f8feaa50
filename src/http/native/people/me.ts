import { setPreferences } from '../../../actions/people/set-preferences.js'
import { revokeApiToken } from '../../../actions/projects/revoke-api-token.js'
import { setReportWishes } from '../../../actions/reports/set-report-wishes.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { tokenShape } from '../../../core/wire/project.js'
import type { CallerCall, CallerOperation } from '../native-operation.js'
import { nothing, tokensAnswer } from '../projects/schemas.js'
import { namingFields, parseBody } from '../request.js'
import { answerInOrder, byCreation, IN_ORDER } from '../serve/page.js'
import { ownToken, personOf } from '../serve/person.js'
import { ownAnswer, ownChanges } from './schemas.js'

export const getMe: CallerOperation = {
  id: 'getMe',
  summary: 'Get the settings of the person of the token',
  description: 'Takes a token of a person.',
  concerns: 'caller',
  scope: null,
  responses: { 200: { description: 'The person.', schema: ownAnswer } },
  errors: {},
  async handle(call) {
    return { status: 200, body: toJson(await ownSettings(call)) }
  },
}

export const patchMe: CallerOperation = {
  id: 'patchMe',
  summary: 'Change the settings of the person of the token',
  description: 'What is not sent stays as it is.',
  concerns: 'caller',
  scope: 'config:write',
  request: { json: ownChanges, example: { timezone: 'Europe/Riga', theme: 'dark' } },
  responses: { 200: { description: 'The person after the change.', schema: ownAnswer } },
  errors: {},
  async handle(call) {
    const { store } = call.deps
    const before = await ownSettings(call)
    const asked = parseBody(ownChanges(), call.body)
    const { timezone = before.timezone, theme = before.theme } = asked
    const { reports = before.reports, reminders = before.reminders } = asked
    await namingFields(setPreferences(store, personOf(call.caller), { timezone, theme }))
    await setReportWishes(store, before.uuid, { reports, nags: String(reminders) })
    return { status: 200, body: toJson(await ownSettings(call)) }
  },
}

export const listOwnTokens: CallerOperation = {
  id: 'listOwnTokens',
  summary: 'List the API tokens of the person of the token',
  description: 'Without their secrets, oldest first.',
  concerns: 'caller',
  scope: 'config:write',
  listing: IN_ORDER,
  responses: { 200: { description: 'The tokens.', schema: tokensAnswer } },
  errors: {},
  async handle(call) {
    const userId = personOf(call.caller)
    const read = () => call.deps.store.projects.listApiTokens({ userId })
    return await answerInOrder(call, read, byCreation, tokenShape)
  },
}

export const revokeOwnToken: CallerOperation = {
  id: 'revokeOwnToken',
  summary: 'Revoke an API token of the person of the token',
  concerns: 'caller',
  scope: 'config:write',
  responses: { 200: { description: 'It is revoked.', schema: nothing } },
  errors: { 404: 'The person has no such token.' },
  async handle({ deps, caller, params, now }) {
    const owner = { userId: personOf(caller) }
    const token = { owner, uuid: params.uuid!, by: ownToken(caller), now }
    if (!(await revokeApiToken(deps, token))) throw new Refusal('not-found', 'token not found')
    return { status: 200, body: toJson({}) }
  },
}

async function ownSettings({ deps: { store }, caller }: CallerCall) {
  const id = personOf(caller)
  const [person, wishes] = await Promise.all([store.people.preferences(id), store.reports.wishes(id)])
  const { uuid, email, timezone, theme } = person
  return { uuid, email, timezone, theme, reports: wishes.reports, reminders: wishes.nagSeconds }
}
