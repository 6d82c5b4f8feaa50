/** The protocols of other monitors that a project can accept, with their labels. Decision 0132. */
export const PROTOCOLS = {
  sentry: {
    label: 'Sentry Crons',
    help: 'Check-ins of Sentry’s SDKs, of sentry-cli and by HTTP. Who has the ping key can then create and change checks.',
  },
  alertmanager: {
    label: 'Alertmanager',
    help: 'A firing Watchdog, sent to the webhook /ping/KEY/alertmanager, is a success of the check with the slug in its label.',
  },
  gatus: {
    label: 'Gatus',
    help: 'Results pushed to external endpoints. The slug of the check is the key of the endpoint.',
  },
  cronitor: {
    label: 'Cronitor',
    help: 'Telemetry events to /p/KEY/MONITOR, with the ping key as the API key. A monitor that is new makes a check.',
  },
  'uptime-kuma': {
    label: 'Uptime Kuma',
    help: 'Pushes to /api/push/TOKEN. The token is the UUID of a check, or an imported one.',
  },
} as const

export type Protocol = keyof typeof PROTOCOLS

export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as Protocol[]

/** The protocols in a stored text, in the order of the list. */
export function protocolsIn(text: string | null): Protocol[] {
  const words = text?.split(',') ?? []
  return PROTOCOL_NAMES.filter(name => words.includes(name))
}
