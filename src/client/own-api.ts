// Written by `npm run docs` from the OpenAPI document of Punctual's own API.
import type { TagBadges } from './own-api/badges.js'
import type { ChannelKind } from './own-api/channel-kinds.js'
import type {
  Channel,
  ChannelChanges,
  ChannelChecks,
  ChannelNotifications,
  ChannelTest,
  NewChannel,
  NewChannelTest,
} from './own-api/channels.js'
import type {
  BadgeSet,
  Check,
  CheckChanges,
  CheckOperations,
  CheckResult,
  Explanation,
  Finding,
  Flip,
  ListedPing,
  MoveCheck,
  NewCheck,
  Nothing,
  Ping,
  PushTokens,
  ReadOnlyCheck,
  Run,
  Snooze,
} from './own-api/checks.js'
import type {
  ConfigApplied,
  ConfigApplyRequest,
  ConfigExport,
  ConfigPlan,
  ConfigPlanRequest,
  ConfigSchema,
} from './own-api/config.js'
import type {
  EventAttempt,
  EventWebhook,
  EventWebhookChanges,
  NewEventWebhook,
} from './own-api/event-webhooks.js'
import type {
  Acknowledge,
  AcknowledgeSeveral,
  Incident,
  IncidentNote,
  IncidentWithTimeline,
} from './own-api/incidents.js'
import type { CreatedInvitation, Invitation, NewInvitation } from './own-api/invitations.js'
import type { CreatedKey, Key, NewKey } from './own-api/keys.js'
import type { Event } from './own-api/log.js'
import type { Person, PersonChanges } from './own-api/me.js'
import type { Member, MemberChanges } from './own-api/members.js'
import type { NewPolicy, Policy, PolicyChanges, ReadOnlyPolicy } from './own-api/policies.js'
import type { NewOffer, NewProject, Project, ProjectChanges, ProjectEntry } from './own-api/projects.js'
import type { NewSilence, ReadOnlySilence, Silence, SilenceChanges } from './own-api/silences.js'
import type { Tag } from './own-api/tags.js'
import type { CreatedToken, NewToken, Token } from './own-api/tokens.js'
import { OwnApiRequests } from './own-api-requests.js'

export type * from './own-api/badges.js'
export type * from './own-api/channel-kinds.js'
export type * from './own-api/channels.js'
export type * from './own-api/checks.js'
export type * from './own-api/config.js'
export type * from './own-api/event-webhooks.js'
export type * from './own-api/incidents.js'
export type * from './own-api/invitations.js'
export type * from './own-api/keys.js'
export type * from './own-api/log.js'
export type * from './own-api/me.js'
export type * from './own-api/members.js'
export type * from './own-api/policies.js'
export type * from './own-api/problem.js'
export type * from './own-api/projects.js'
export type * from './own-api/silences.js'
export type * from './own-api/tags.js'
export type * from './own-api/tokens.js'

/** Punctual's own API. Every method throws an `ApiError` for an error status. */
export class PunctualApi extends OwnApiRequests {
  /** List the checks of the project. */
  listChecks(
    options: {
      /** Only checks with this status now, or one of several with commas between them: new, up, grace, down, paused. */ status?: string /** Only checks with this tag, or with all of several with spaces between them. */
      tag?: string /** Only checks with this slug. */
      slug?: string /** Only checks with exactly this name. */
      name?: string /** Only checks found by this text, as in the list on pages: a part of name, slug, tags or UUID, or beginnings of words; if nothing has them, parts of words. */
      search?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Check | ReadOnlyCheck, void, void> {
    return this.pages({ method: 'GET', path: '/checks', options })
  }

  /** Create a check. */
  createCheck(
    body: NewCheck,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: '/checks', body, options })
  }

  /** Get a check. */
  getCheck(uuid: string): Promise<Check | ReadOnlyCheck> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}` })
  }

  /** Change a check. */
  patchCheck(
    uuid: string,
    body: CheckChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Check> {
    return this.json({ method: 'PATCH', path: `/checks/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete a check. */
  deleteCheck(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/checks/${encodeURIComponent(uuid)}`, options })
  }

  /** List the runs of a check. */
  listRuns(
    uuid: string,
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Run, void, void> {
    return this.pages({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/runs`, options })
  }

  /** List what about a check may be meant otherwise than it is set. */
  listFindings(uuid: string): Promise<{
    findings: Finding[]
  }> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/findings` })
  }

  /** Create, change, delete, pause and resume many checks. */
  batchChecks(
    body: CheckOperations,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<{
    results: CheckResult[]
  }> {
    return this.json({ method: 'POST', path: '/checks:batch', body, options })
  }

  /** List the logged pings of a check. */
  listPings(
    uuid: string,
    options: {
      /** Only pings of this kind, or of several with commas between them: success, start, fail, log, ign. */ kind?: string /** Only pings whose body has this text within a line, in any case. Each request looks at up to 1,000 pings, 10 MB of bodies and 100 bodies in object storage: a page may have few pings or none although `next` is not null. Bodies in object storage that cannot be read are passed over. */
      text?: string /** Only those at this instant or later. */
      from?: string /** Only those before this instant. */
      to?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<ListedPing, void, void> {
    return this.pages({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/pings`, options })
  }

  /** Get a logged ping. */
  getPing(uuid: string, n: number): Promise<Ping> {
    return this.json({
      method: 'GET',
      path: `/checks/${encodeURIComponent(uuid)}/pings/${encodeURIComponent(n)}`,
    })
  }

  /** Get the body of a logged ping, such as the output of a job. */
  getPingBody(uuid: string, n: number): Promise<Response> {
    return this.request({
      method: 'GET',
      path: `/checks/${encodeURIComponent(uuid)}/pings/${encodeURIComponent(n)}/body`,
    })
  }

  /** List the changes of status of a check. */
  listFlips(
    uuid: string,
    options: {
      /** Only those at this instant or later. */ from?: string /** Only those before this instant. */
      to?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Flip, void, void> {
    return this.pages({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/flips`, options })
  }

  /** Get the badges of a check. */
  getCheckBadges(uuid: string): Promise<BadgeSet> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/badges` })
  }

  /** List the badges of the project. */
  listBadges(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<TagBadges, void, void> {
    return this.pages({ method: 'GET', path: '/badges', options })
  }

  /** List the tags of the project. */
  listTags(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Tag, void, void> {
    return this.pages({ method: 'GET', path: '/tags', options })
  }

  /** Pause a check. */
  pauseCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/pause`, body, options })
  }

  /** Resume a check. */
  resumeCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/resume`, body, options })
  }

  /** Copy a check. */
  copyCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/copy`, body, options })
  }

  /** Move a check to another project. */
  moveCheck(
    uuid: string,
    body: MoveCheck,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/move`, body, options })
  }

  /** Delete the log of a check. */
  clearCheck(
    uuid: string,
    body: Nothing,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Check> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/clear`, body, options })
  }

  /** List the push tokens of a check. */
  getPushTokens(uuid: string): Promise<PushTokens> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/push-tokens` })
  }

  /** Give a check these push tokens, and no others. */
  putPushTokens(
    uuid: string,
    body: PushTokens,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<PushTokens> {
    return this.json({
      method: 'PUT',
      path: `/checks/${encodeURIComponent(uuid)}/push-tokens`,
      body,
      options,
    })
  }

  /** Hold the alerts of a check for a time. */
  snoozeCheck(
    uuid: string,
    body: Snooze,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Silence> {
    return this.json({ method: 'POST', path: `/checks/${encodeURIComponent(uuid)}/snooze`, body, options })
  }

  /** List the silences of the project. */
  listSilences(
    options: {
      /** Only silences in this state. */ state?:
        | 'active'
        | 'coming'
        | 'past' /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Silence | ReadOnlySilence, void, void> {
    return this.pages({ method: 'GET', path: '/silences', options })
  }

  /** Create a silence. */
  createSilence(
    body: NewSilence,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Silence> {
    return this.json({ method: 'POST', path: '/silences', body, options })
  }

  /** Get a silence. */
  getSilence(id: number): Promise<Silence | ReadOnlySilence> {
    return this.json({ method: 'GET', path: `/silences/${encodeURIComponent(id)}` })
  }

  /** Change a silence. */
  patchSilence(
    id: number,
    body: SilenceChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Silence> {
    return this.json({ method: 'PATCH', path: `/silences/${encodeURIComponent(id)}`, body, options })
  }

  /** End a silence now. */
  endSilence(
    id: number,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Silence> {
    return this.json({ method: 'DELETE', path: `/silences/${encodeURIComponent(id)}`, options })
  }

  /** Explain why an alert was or was not sent. */
  explainCheck(uuid: string): Promise<Explanation> {
    return this.json({ method: 'GET', path: `/checks/${encodeURIComponent(uuid)}/explain` })
  }

  /** List the policies of the project. */
  listPolicies(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Policy | ReadOnlyPolicy, void, void> {
    return this.pages({ method: 'GET', path: '/policies', options })
  }

  /** Create a policy. */
  createPolicy(
    body: NewPolicy,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Policy> {
    return this.json({ method: 'POST', path: '/policies', body, options })
  }

  /** Get a policy. */
  getPolicy(id: number): Promise<Policy | ReadOnlyPolicy> {
    return this.json({ method: 'GET', path: `/policies/${encodeURIComponent(id)}` })
  }

  /** Change a policy. */
  patchPolicy(
    id: number,
    body: PolicyChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Policy> {
    return this.json({ method: 'PATCH', path: `/policies/${encodeURIComponent(id)}`, body, options })
  }

  /** Delete a policy. */
  deletePolicy(
    id: number,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/policies/${encodeURIComponent(id)}`, options })
  }

  /** List who changed what, and what happened to checks. */
  getLog(
    options: {
      /** Only of the object with this ID. */ object?: string /** Only of objects of this kind. */
      kind?:
        | 'check'
        | 'incident'
        | 'channel'
        | 'silence'
        | 'policy'
        | 'member'
        | 'invitation'
        | 'key'
        | 'token'
        | 'project'
        | 'webhook' /** Only by this actor, such as `person:UUID`; `punctual`: by Punctual itself; `others`: by people and programs. */
      actor?: string /** Only these types, with commas between them. A kind stands for all of its types. */
      type?: string /** Only from this instant on. */
      from?: string /** Only before this instant. */
      to?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Event, void, void> {
    return this.pages({ method: 'GET', path: '/log', options })
  }

  /** Follow the events of the project. */
  streamEvents(
    options: {
      /** Only these types, with commas between them. A kind stands for all of its types. */ type?: string
    } = {},
  ): Promise<Response> {
    return this.request({ method: 'GET', path: '/events', options })
  }

  /** List the event webhooks of the project. */
  listEventWebhooks(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<EventWebhook, void, void> {
    return this.pages({ method: 'GET', path: '/event-webhooks', options })
  }

  /** Create an event webhook. */
  createEventWebhook(
    body: NewEventWebhook,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<EventWebhook> {
    return this.json({ method: 'POST', path: '/event-webhooks', body, options })
  }

  /** Get an event webhook. */
  getEventWebhook(uuid: string): Promise<EventWebhook> {
    return this.json({ method: 'GET', path: `/event-webhooks/${encodeURIComponent(uuid)}` })
  }

  /** Change, enable or disable an event webhook. */
  patchEventWebhook(
    uuid: string,
    body: EventWebhookChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<EventWebhook> {
    return this.json({ method: 'PATCH', path: `/event-webhooks/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete an event webhook. */
  deleteEventWebhook(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/event-webhooks/${encodeURIComponent(uuid)}`, options })
  }

  /** Make a new secret for an event webhook. */
  rotateEventWebhookSecret(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<EventWebhook> {
    return this.json({ method: 'POST', path: `/event-webhooks/${encodeURIComponent(uuid)}/secret`, options })
  }

  /** Send a test to an event webhook. */
  testEventWebhook(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<EventAttempt> {
    return this.json({ method: 'POST', path: `/event-webhooks/${encodeURIComponent(uuid)}/test`, options })
  }

  /** List the newest requests of an event webhook. */
  listEventWebhookAttempts(
    uuid: string,
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<EventAttempt, void, void> {
    return this.pages({
      method: 'GET',
      path: `/event-webhooks/${encodeURIComponent(uuid)}/attempts`,
      options,
    })
  }

  /** List the incidents of the project. */
  listIncidents(
    options: {
      /** `true`: only open ones; `false`: only closed ones. */ open?: boolean /** Only those that were open at this instant or later. */
      from?: string /** Only those that were opened before this instant. */
      to?: string /** Only those of the check with this UUID or unique key. */
      check?: string /** Only those of checks with this tag. */
      tag?: string /** Only those that were sent to the channel with this UUID. */
      channel?: string /** The most items of a page. */
      limit?: number
    } = {},
  ): AsyncGenerator<Incident, void, void> {
    return this.pages({ method: 'GET', path: '/incidents', options })
  }

  /** Acknowledge several incidents. */
  acknowledgeIncidents(
    body: AcknowledgeSeveral,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<{
    /** Those that were not closed. */
    acknowledged: number[]
  }> {
    return this.json({ method: 'POST', path: '/incidents/acknowledge', body, options })
  }

  /** Get an incident with what happened to it. */
  getIncident(id: number): Promise<IncidentWithTimeline> {
    return this.json({ method: 'GET', path: `/incidents/${encodeURIComponent(id)}` })
  }

  /** Acknowledge an incident. */
  acknowledgeIncident(
    id: number,
    body: Acknowledge,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Incident> {
    return this.json({
      method: 'POST',
      path: `/incidents/${encodeURIComponent(id)}/acknowledge`,
      body,
      options,
    })
  }

  /** Take an acknowledgement back. */
  unacknowledgeIncident(id: number): Promise<Incident> {
    return this.json({ method: 'DELETE', path: `/incidents/${encodeURIComponent(id)}/acknowledge` })
  }

  /** Add a note to an incident. */
  addIncidentNote(
    id: number,
    body: IncidentNote,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Incident> {
    return this.json({ method: 'POST', path: `/incidents/${encodeURIComponent(id)}/notes`, body, options })
  }

  /** Get the file that describes a project. */
  exportConfig(): Promise<ConfigExport> {
    return this.json({ method: 'GET', path: '/config' })
  }

  /** Get the JSON Schema of files, for editors. */
  getConfigSchema(): Promise<ConfigSchema> {
    return this.json({ method: 'GET', path: '/config/schema' })
  }

  /** Say what applying a file would change. */
  planConfig(
    body: ConfigPlanRequest,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<ConfigPlan> {
    return this.json({ method: 'POST', path: '/config:plan', body, options })
  }

  /** Make a project as a file describes it. */
  applyConfig(
    body: ConfigApplyRequest,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<ConfigApplied> {
    return this.json({ method: 'POST', path: '/config:apply', body, options })
  }

  /** List the projects of the token. */
  listProjects(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<ProjectEntry, void, void> {
    return this.pages({ method: 'GET', path: '/projects', options })
  }

  /** Create a project. */
  createProject(
    body: NewProject,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Project> {
    return this.json({ method: 'POST', path: '/projects', body, options })
  }

  /** Get a project. */
  getProject(uuid: string): Promise<Project> {
    return this.json({ method: 'GET', path: `/projects/${encodeURIComponent(uuid)}` })
  }

  /** Change a project. */
  patchProject(
    uuid: string,
    body: ProjectChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Project> {
    return this.json({ method: 'PATCH', path: `/projects/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete a project with everything in it. */
  deleteProject(
    uuid: string,
    options: {
      /** The name of the project, as a safeguard. */ name: string /** An ETag: the change is made only if the resource still has it. */
      ifMatch?: string
    },
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/projects/${encodeURIComponent(uuid)}`, options })
  }

  /** Offer a project to a member. */
  offerProject(
    uuid: string,
    body: NewOffer,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({
      method: 'POST',
      path: `/projects/${encodeURIComponent(uuid)}/transfer`,
      body,
      options,
    })
  }

  /** Withdraw or decline the offer of a project. */
  endProjectOffer(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/projects/${encodeURIComponent(uuid)}/transfer` })
  }

  /** Accept an offered project. */
  acceptProject(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({
      method: 'POST',
      path: `/projects/${encodeURIComponent(uuid)}/transfer/accept`,
      options,
    })
  }

  /** Leave a project. */
  leaveProject(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'POST', path: `/projects/${encodeURIComponent(uuid)}/leave`, options })
  }

  /** List the keys of the project. */
  listKeys(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Key, void, void> {
    return this.pages({ method: 'GET', path: '/keys', options })
  }

  /** Create a key. */
  createKey(
    body: NewKey,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<CreatedKey> {
    return this.json({ method: 'POST', path: '/keys', body, options })
  }

  /** Revoke a key. */
  revokeKey(hint: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/keys/${encodeURIComponent(hint)}` })
  }

  /** List the API tokens of the project. */
  listTokens(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Token, void, void> {
    return this.pages({ method: 'GET', path: '/tokens', options })
  }

  /** Create an API token of the project. */
  createToken(
    body: NewToken,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<CreatedToken> {
    return this.json({ method: 'POST', path: '/tokens', body, options })
  }

  /** Revoke an API token of the project. */
  revokeToken(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/tokens/${encodeURIComponent(uuid)}` })
  }

  /** List the owner and the members of the project. */
  listMembers(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Member, void, void> {
    return this.pages({ method: 'GET', path: '/members', options })
  }

  /** Get a member of the project. */
  getMember(uuid: string): Promise<Member> {
    return this.json({ method: 'GET', path: `/members/${encodeURIComponent(uuid)}` })
  }

  /** Change the role of a member. */
  patchMember(
    uuid: string,
    body: MemberChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Member> {
    return this.json({ method: 'PATCH', path: `/members/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Remove a member from the project. */
  removeMember(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/members/${encodeURIComponent(uuid)}`, options })
  }

  /** List the open invitations to the project. */
  listInvitations(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Invitation, void, void> {
    return this.pages({ method: 'GET', path: '/invitations', options })
  }

  /** Invite a person to the project. */
  createInvitation(
    body: NewInvitation,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<CreatedInvitation> {
    return this.json({ method: 'POST', path: '/invitations', body, options })
  }

  /** Withdraw an invitation. */
  withdrawInvitation(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/invitations/${encodeURIComponent(uuid)}` })
  }

  /** Get the settings of the person of the token. */
  getMe(): Promise<Person> {
    return this.json({ method: 'GET', path: '/me' })
  }

  /** Change the settings of the person of the token. */
  patchMe(
    body: PersonChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Person> {
    return this.json({ method: 'PATCH', path: '/me', body, options })
  }

  /** List the API tokens of the person of the token. */
  listOwnTokens(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Token, void, void> {
    return this.pages({ method: 'GET', path: '/me/tokens', options })
  }

  /** Revoke an API token of the person of the token. */
  revokeOwnToken(uuid: string): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/me/tokens/${encodeURIComponent(uuid)}` })
  }

  /** List the kinds of channels with their fields. */
  listChannelKinds(): Promise<{
    kinds: ChannelKind[]
  }> {
    return this.json({ method: 'GET', path: '/channel-kinds' })
  }

  /** List the channels of the project. */
  listChannels(
    options: { /** The most items of a page. */ limit?: number } = {},
  ): AsyncGenerator<Channel, void, void> {
    return this.pages({ method: 'GET', path: '/channels', options })
  }

  /** Create a channel. */
  createChannel(
    body: NewChannel,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Channel> {
    return this.json({ method: 'POST', path: '/channels', body, options })
  }

  /** Get a channel. */
  getChannel(uuid: string): Promise<Channel> {
    return this.json({ method: 'GET', path: `/channels/${encodeURIComponent(uuid)}` })
  }

  /** Change, enable or disable a channel. */
  patchChannel(
    uuid: string,
    body: ChannelChanges,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Channel> {
    return this.json({ method: 'PATCH', path: `/channels/${encodeURIComponent(uuid)}`, body, options })
  }

  /** Delete a channel and its log. */
  deleteChannel(
    uuid: string,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'DELETE', path: `/channels/${encodeURIComponent(uuid)}`, options })
  }

  /** List the checks that a channel is assigned to. */
  getChannelChecks(uuid: string): Promise<ChannelChecks> {
    return this.json({ method: 'GET', path: `/channels/${encodeURIComponent(uuid)}/checks` })
  }

  /** Assign a channel to checks, and to no others. */
  putChannelChecks(
    uuid: string,
    body: ChannelChecks,
    options: { /** An ETag: the change is made only if the resource still has it. */ ifMatch?: string } = {},
  ): Promise<ChannelChecks> {
    return this.json({ method: 'PUT', path: `/channels/${encodeURIComponent(uuid)}/checks`, body, options })
  }

  /** Send a test through a channel before it is created. */
  testNewChannel(
    body: NewChannel,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<NewChannelTest> {
    return this.json({ method: 'POST', path: '/channels:test', body, options })
  }

  /** Send a test through a channel. */
  testChannel(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<ChannelTest> {
    return this.json({ method: 'POST', path: `/channels/${encodeURIComponent(uuid)}/test`, options })
  }

  /** Ask the owner of an address again to confirm a channel. */
  requestChannelConfirmation(
    uuid: string,
    options: {
      /** Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer. */ idempotencyKey?: string
    } = {},
  ): Promise<Record<string, never>> {
    return this.json({ method: 'POST', path: `/channels/${encodeURIComponent(uuid)}/confirmation`, options })
  }

  /** List the last notifications of a channel. */
  listChannelNotifications(uuid: string): Promise<ChannelNotifications> {
    return this.json({ method: 'GET', path: `/channels/${encodeURIComponent(uuid)}/notifications` })
  }
}
