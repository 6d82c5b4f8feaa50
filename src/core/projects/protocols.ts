export interface ProtocolWords {
  label: string
  help: string
  /** The page of the documentation. */
  guide: string
  /** The address for clients, below `root` (the site's, without a slash at the end). Capitals stand for what differs by job. */
  address(root: string, pingKey: string): string
}

/** The protocols of other monitors that a project can accept, with their labels. Decision 0132. */
export const PROTOCOLS = {
  sentry: {
    label: 'Sentry Crons',
    help: 'Check-ins of Sentry’s SDKs, of sentry-cli and by HTTP. Anyone who has the ping key can then create and change checks.',
    guide: 'coming-from-sentry',
    address: (root, key) => `${root.replace('://', `://${key}@`)}/1`,
  },
  alertmanager: {
    label: 'Alertmanager',
    help: 'A firing Watchdog, sent to the webhook /ping/KEY/alertmanager, is a success of the check with the slug in its label.',
    guide: 'coming-from-alertmanager',
    address: (root, key) => `${root}/ping/${key}/alertmanager`,
  },
  gatus: {
    label: 'Gatus',
    help: 'Results pushed to external endpoints. The slug of the check is the key of the endpoint.',
    guide: 'coming-from-gatus',
    address: root => `${root}/api/v1/endpoints/GROUP_NAME/external?success=true`,
  },
  cronitor: {
    label: 'Cronitor',
    help: 'Telemetry events to /p/KEY/MONITOR, with the ping key as the API key. A new monitor creates a check.',
    guide: 'coming-from-cronitor',
    address: (root, key) => `${root}/p/${key}/MONITOR?state=complete`,
  },
  'uptime-kuma': {
    label: 'Uptime Kuma',
    help: 'Pushes to /api/push/TOKEN. The token is the UUID of a check, or a push token from the menu on its page.',
    guide: 'coming-from-uptime-kuma',
    address: root => `${root}/api/push/TOKEN?status=up`,
  },
} as const satisfies Record<string, ProtocolWords>

export type Protocol = keyof typeof PROTOCOLS

export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as Protocol[]

/** The protocols in a stored text, in the order of the list. */
export function protocolsIn(text: string | null): Protocol[] {
  const words = text?.split(',') ?? []
  return PROTOCOL_NAMES.filter(name => words.includes(name))
}
