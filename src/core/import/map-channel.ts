/** Maps channels of Healthchecks, whose value is JSON or, from older versions, plain text, to the settings of ours. */

/** The settings by the names of the fields; the registry of kinds completes and checks them. */
export type GivenSettings = Record<string, string>

export type MappedChannel = { kind: string; given: GivenSettings } | { problem: string }

type Value = { text: string; json: Record<string, unknown> }
type Read = (value: Value) => GivenSettings

/** For a value that is one text, or JSON with it. */
const only =
  (field: string, ...names: string[]): Read =>
  ({ text, json }) => ({ [field]: textOf(json, ...names, 'value', 'url') || text })

/** A phone number or an address with the directions, whose defaults are those of a plain value. */
const withDirections =
  (field: string, byDefault: { down: boolean; up: boolean }): Read =>
  value => ({
    ...only(field)(value),
    down: String(value.json.down ?? byDefault.down),
    up: String(value.json.up ?? byDefault.up),
  })

/** The fields that have the same names there. */
const named =
  (...names: string[]): Read =>
  ({ json }) =>
    Object.fromEntries(names.map(name => [name, textOf(json, name)]))

const KINDS: Readonly<Record<string, Read>> = {
  apprise: only('apprise_url'),
  call: only('phone'),
  discord: ({ text, json }) => ({ url: textOf(objectOf(json.webhook), 'url') || text }),
  email: withDirections('value', { down: true, up: true }),
  github: ({ json }) => ({
    ...named('installation_id', 'repo')({ text: '', json }),
    labels: Array.isArray(json.labels) ? json.labels.join(', ') : textOf(json, 'labels'),
  }),
  googlechat: only('url'),
  gotify: ({ json }) => ({
    ...named('url', 'token')({ text: '', json }),
    ...priorities(json.priority, json.priority_up ?? json.priority),
  }),
  group: ({ text }) => ({ members: text }),
  matrix: ({ text, json }) => ({ room_id: textOf(json, 'room_id') || text, alias: textOf(json, 'alias') }),
  mattermost: only('url'),
  msteamsw: only('url'),
  ntfy: ({ json }) => ({
    ...named('topic', 'url', 'token')({ text: '', json }),
    ...priorities(json.priority, json.priority_up ?? json.priority),
  }),
  opsgenie: ({ text, json }) => ({
    key: textOf(json, 'key') || text,
    region: textOf(json, 'region') || 'us',
  }),
  pagertree: only('url'),
  pd: ({ text, json }) => ({
    service_key: textOf(json, 'service_key') || text,
    account: textOf(json, 'account', 'name'),
  }),
  po: ({ text }) => {
    const [user_key = '', down, up = down] = text.split('|')
    return { user_key, ...priorities(down, up) }
  },
  pushbullet: only('access_token'),
  rocketchat: only('url'),
  shell: named('cmd_down', 'cmd_up'),
  signal: withDirections('value', { down: true, up: true }),
  slack: ({ text, json }) => {
    const hook = objectOf(json.incoming_webhook)
    return {
      url: textOf(hook, 'url') || text,
      team: textOf(json, 'team_name'),
      channel: textOf(hook, 'channel'),
    }
  },
  sms: withDirections('phone', { down: true, up: false }),
  spike: only('url'),
  telegram: ({ json }) => ({
    chat_id: textOf(json, 'id'),
    thread_id: textOf(json, 'thread_id'),
    chat_type: textOf(json, 'type'),
    chat_name: textOf(json, 'name'),
  }),
  trello: named('token', 'list_id', 'board_name', 'list_name'),
  victorops: only('url'),
  webhook,
  whatsapp: withDirections('phone', { down: true, up: true }),
  zulip: ({ json }) => ({
    ...named('bot_email', 'api_key', 'mtype', 'to', 'topic')({ text: '', json }),
    // Older versions posted to the domain of the bot's address.
    site: textOf(json, 'site') || `https://${textOf(json, 'bot_email').split('@')[1] ?? ''}`,
  }),
}

/** Kinds that no longer exist, and why. */
const GONE: Readonly<Record<string, string>> = {
  hipchat: 'Hipchat has ended',
  linenotify: 'LINE Notify has ended',
  msteams: 'Microsoft has ended the connectors of Teams: add a channel of the kind msteamsw with a workflow',
  pagerteam: 'PagerTeam has ended',
  zendesk: 'Healthchecks has removed it',
}

/** The kind and the settings of a channel, or why it cannot be carried over. */
export function mapChannel(kind: string, value: string): MappedChannel {
  const read = KINDS[kind]
  if (!read) return { problem: GONE[kind] ?? `the kind ${kind} is not known` }
  const json = parsed(value)
  // Plain text in a kind that reads names gives no settings, which the registry refuses.
  return { kind, given: withoutEmpty(read({ text: json ? '' : value.trim(), json: json ?? {} })) }
}

/** One direction, as `url_down`, and the other. The oldest form is the addresses and a body, a line each. */
function webhook({ text, json }: Value): GivenSettings {
  if (text !== '') {
    const [down = '', up = '', ...body] = text.split('\n')
    const posted = body.join('\n')
    const how = (direction: string) =>
      posted === '' ? {} : { [`method_${direction}`]: 'POST', [`body_${direction}`]: posted }
    return { url_down: down, url_up: up, ...how('down'), ...how('up') }
  }
  const of = (direction: 'down' | 'up') => {
    const body = textOf(json, `body_${direction}`, 'post_data')
    return {
      [`url_${direction}`]: textOf(json, `url_${direction}`),
      [`method_${direction}`]: textOf(json, `method_${direction}`) || (body === '' ? 'GET' : 'POST'),
      [`body_${direction}`]: body,
      [`headers_${direction}`]: Object.entries(objectOf(json[`headers_${direction}`] ?? json.headers))
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n'),
    }
  }
  return { ...of('down'), ...of('up') }
}

function priorities(down: unknown, up: unknown): GivenSettings {
  return {
    ...(down === undefined || down === null ? {} : { priority_down: String(down) }),
    ...(up === undefined || up === null ? {} : { priority_up: String(up) }),
  }
}

function parsed(value: string): Record<string, unknown> | null {
  if (!value.trimStart().startsWith('{')) return null
  try {
    return objectOf(JSON.parse(value))
  } catch {
    return null
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** The first of these members that is a text or a number, as text; empty if there is none. */
function textOf(object: Record<string, unknown>, ...names: string[]): string {
  for (const name of names) {
    const value = object[name]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return ''
}

function withoutEmpty(given: GivenSettings): GivenSettings {
  return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''))
}
