// Writes a page for each kind of channel from what its own file declares.

/**
 * The pages of docs/integrations/, by their path in the repository. `integrations` is the registry's list.
 */
export function integrationPages(integrations) {
  return new Map(
    integrations.map(integration => [`docs/integrations/${integration.kind}.md`, pageOf(integration)]),
  )
}

function pageOf({ kind, label, help, guide, fields, operatorSettings = [] }) {
  const blocks = [
    `# ${label}`,
    help,
    '## Fields',
    table(
      ['Field', 'Meaning', 'Form'],
      fields.map(field => [`\`${field.name}\``, meaningOf(field), formOf(field)]),
    ),
    'On the command line:',
    `\`\`\`sh\n${commandOf(kind, label, fields)}\n\`\`\``,
  ]
  if (guide) blocks.push('## Details', guide.trim())
  if (operatorSettings.length > 0) {
    blocks.push(
      '## Settings of the operator',
      table(
        ['Setting', 'Default', 'Meaning'],
        operatorSettings.map(({ name, default: value, help }) => [
          `\`${name}\``,
          value ? `\`${value}\`` : '',
          help,
        ]),
      ),
    )
  }
  return `${blocks.join('\n\n')}\n`
}

function meaningOf({ label, help, sensitive }) {
  return [`${label}.`, help, sensitive ? 'Shown masked.' : ''].filter(Boolean).join(' ')
}

const FORMS = {
  text: 'text',
  multiline: 'text of several lines',
  url: 'http or https URL',
  email: 'e-mail address',
  flag: '`true` or `false`',
  number: 'whole number',
  channels: 'UUIDs of channels, separated by commas',
}

function formOf({ type, choices, maxLength, required, default: value }) {
  const parts = [type === 'choice' ? choices.map(choice => `\`${choice}\``).join(', ') : FORMS[type]]
  if (maxLength) parts.push(`at most ${maxLength} characters`)
  if (required) parts.push('required')
  if (value) parts.push(`default \`${value}\``)
  return parts.join('; ')
}

function commandOf(kind, label, fields) {
  const needed = fields.filter(({ required }) => required)
  const shown = needed.length > 0 ? needed : fields.slice(0, 1)
  const sets = shown.map(({ name }) => ` --set ${name}=VALUE`).join('')
  return `punctual channel add --project UUID --kind ${kind} --name "${label}"${sets}`
}

function table(head, rows) {
  const line = cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
