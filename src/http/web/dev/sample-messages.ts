/** A sample of every message of every kind, created by the code that sends the real ones. */
import type { Alert, Notice } from '../../../core/alerts/alert.js'
import { integrations } from '../../../integrations/index.js'
import type { Destination, Integration } from '../../../integrations/integration.js'
import type { Transports } from '../../../integrations/transports.js'
import type { AppDeps } from '../../deps.js'
import { readable } from './readable.js'
import { sampleAlerts, sampleNotices } from './sample-alerts.js'
import { SAMPLE_SETTINGS, sampleOperator } from './sample-channels.js'

/** What a service is sent, as text: a line for each value. */
export interface SampleMessage {
  situation: string
  text: string
}

export interface SampleKind {
  kind: string
  label: string
  messages: SampleMessage[]
}

/** What is handed to the transports for one message. */
export type Handed = { address: string; body: unknown }

/** The messages of all kinds; `situations`: only these. */
export async function sampleMessages(
  deps: Pick<AppDeps, 'delivery' | 'clock'>,
  situations?: readonly string[],
): Promise<SampleKind[]> {
  const operator = sampleOperator()
  const all: [string, Alert | Notice][] = [
    ...Object.entries(sampleAlerts(deps)),
    ...Object.entries(sampleNotices(deps.delivery.site, deps.clock.now())),
  ]
  const asked = all.filter(([situation]) => situations?.includes(situation) ?? true)
  const kinds: SampleKind[] = []
  for (const integration of integrations.filter(({ kind }) => kind in SAMPLE_SETTINGS)) {
    const { kind, label } = integration
    const messages: SampleMessage[] = []
    for (const [situation, about] of asked) {
      const handed = await handedOver(integration, about, sampleDestination(kind, operator))
      if (handed.length > 0) messages.push({ situation, text: handed.map(readable).join('\n\n') })
    }
    kinds.push({ kind, label, messages })
  }
  return kinds
}

/** What a kind hands to the transports to send an alert or a notice; nothing if it does not send such a one. */
export async function handedOver(
  integration: Integration,
  about: Alert | Notice,
  to: Destination,
): Promise<Handed[]> {
  const handed: Handed[] = []
  const transports = recording(handed)
  if (about.type === 'notice') await integration.notify?.(about, to, transports)
  else if (integration.wants?.(to.settings, about.status) ?? true)
    await integration.send(about, to, transports)
  return handed
}

function recording(handed: Handed[]): Transports {
  return {
    async http({ method, url, body }) {
      handed.push({ address: `${method} ${url}`, body: body ?? '' })
      return { status: 200, headers: {}, body: '{"ok": true, "token": "token"}', receivedAt: 0 }
    },
    async mail({ to, subject, text }) {
      handed.push({ address: `e-mail to ${to}`, body: { Subject: subject, '': text } })
    },
    async run(command) {
      handed.push({ address: 'command', body: command })
      return { code: 0, signal: null, output: '' }
    },
    async rpc({ method, params }) {
      handed.push({ address: method, body: params })
      return { result: {} }
    },
  }
}

/** An invented channel of a kind. */
export function sampleDestination(kind: string, operator: Readonly<Record<string, string>>): Destination {
  return {
    uuid: '00000000-0000-4000-8000-000000000000',
    name: '',
    settings: SAMPLE_SETTINGS[kind] ?? {},
    idempotencyKey: '00000000-0000-4000-8000-000000000001',
    unsubscribeUrl: '#unsubscribe',
    statusUrl: 'https://punctual.example/status',
    thread: 'thread',
    timeZone: 'Europe/Riga',
    operator: { TELEGRAM_BOT_NAME: 'bot', ...operator },
  }
}
