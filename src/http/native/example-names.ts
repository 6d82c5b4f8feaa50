/** What the examples of the OpenAPI document name. The tests that run them put something that exists in their place. */
export const EXAMPLE = {
  check: '5f2a9c1e-8b64-4d0e-9a37-1c6f0e2b7d84',
  channel: 'c81d4e2e-bcf2-41e6-8d5a-3f7b9a0c6e15',
  project: '0b7e3d94-62af-4c18-b5d1-9e8f4a2c7063',
  member: 'e4a6b0f7-19d3-4f52-8c7e-6d2b5a9c3f10',
  receiver: 'https://hooks.example.org',
} as const

export const CHANNEL_EXAMPLE = {
  kind: 'webhook',
  name: 'Tickets',
  settings: { url_down: `${EXAMPLE.receiver}/down` },
}

export const CONFIG_EXAMPLE = {
  document: { checks: { 'backup-files': { cron: '0 5 * * *', grace: '30 min', tags: ['files'] } } },
  owner: 'backups.yaml',
}
