/** A chat that accepts JSON messages through an incoming webhook. Each kind defines the JSON. */
import type { Alert, Notice } from '../../core/alerts/alert.js'
import type { Field } from '../field.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Destination, Integration } from '../integration.js'
import { maskUrl } from '../masked.js'
import { requireEnabled } from '../require-enabled.js'
import { enabledSwitch, webhookUrl } from '../switches.js'
import type { HttpAnswer, Transports } from '../transports.js'

export interface WebhookChat
  extends Pick<
    Integration,
    | 'kind'
    | 'label'
    | 'category'
    | 'colour'
    | 'popular'
    | 'help'
    | 'guide'
    | 'logo'
    | 'setup'
    | 'operatorSettings'
  > {
  /** The operator's switch, and the name that begins the error message when it is off. */
  enabled?: { setting: string; name: string }
  /** The help and format of the address field. */
  url?: Pick<Field, 'help' | 'format'>
  /** Fields besides the address. Lists show `channel`, and `team` or `guild`. */
  fields?: readonly Field[]
  /** Converts the address that the user entered to the one to post to. */
  address?(url: string, to: Destination): string
  alert(alert: Alert, to: Destination): object
  notice(notice: Notice, to: Destination): object
  /** Whether a response means that the webhook no longer exists. */
  isPermanent?(answer: HttpAnswer): boolean
}

/** Creates the integration for such a chat. */
export function webhookChat(chat: WebhookChat): Integration {
  const { enabled, address = url => url } = chat
  const post = async (message: object, to: Destination, transports: Transports) => {
    const answer = await transports.http(postJson(address(to.settings.url!, to), message))
    expectOk(answer, { permanent: chat.isPermanent?.(answer) ? [answer.status] : [] })
  }
  const check = (to: Destination) => enabled && requireEnabled(to, enabled.setting, enabled.name)
  return {
    kind: chat.kind,
    label: chat.label,
    category: chat.category,
    ...(chat.colour ? { colour: chat.colour } : {}),
    ...(chat.popular ? { popular: true } : {}),
    help: chat.help,
    ...(chat.guide ? { guide: chat.guide } : {}),
    logo: chat.logo,
    fields: [webhookUrl('Webhook URL', chat.url), ...(chat.fields ?? [])],
    operatorSettings: [
      ...(enabled ? [enabledSwitch(enabled.setting, chat.label)] : []),
      ...(chat.operatorSettings ?? []),
    ],
    needs: enabled ? [enabled.setting] : [],
    ...(chat.setup ? { setup: chat.setup } : {}),
    describe: settings => placeOf(settings) || maskUrl(settings.url!),
    groups: true,
    async send(alert, to, transports) {
      check(to)
      await post(chat.alert(alert, to), to, transports)
    },
    async notify(notice, to, transports) {
      check(to)
      await post(chat.notice(notice, to), to, transports)
    },
  }
}

/** Fields that only show where messages go. */
export function placeFields(...fields: readonly [name: string, label: string][]): Field[] {
  return fields.map(([name, label]) => ({
    name,
    label,
    type: 'text',
    maxLength: 200,
    setByService: true,
  }))
}

function placeOf(settings: Readonly<Record<string, string>>): string {
  const owner = settings.team || settings.guild || ''
  return [owner, settings.channel ?? ''].filter(name => name !== '').join(', ')
}
