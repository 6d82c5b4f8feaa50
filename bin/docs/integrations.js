// Writes a page for each kind of channel from the declarations in its file.
import { table } from './generated-part.js'

/**
 * The pages of docs/integrations/ by their path in the repository. `integrations` is the list in the registry.
 */
export function integrationPages(integrations) {
  return new Map(
    integrations.map(integration => [`docs/integrations/${integration.kind}.md`, pageOf(integration)]),
  )
}

function pageOf({
  kind,
  label,
  help,
  guide,
  fields,
  exampleFields,
  placeholders,
  setup,
  needs = [],
  operatorSettings = [],
}) {
  const isOn = name => operatorSettings.some(setting => setting.name === name && setting.default === 'True')
  const required = needs.filter(need => ![need].flat().some(isOn))
  const blocks = [
    `# ${label}`,
    help,
    '## Fields',
    table(
      ['Field', 'Meaning', 'Format'],
      fields.map(field => [`\`${field.name}\``, meaningOf(field), formatOf(field)]),
    ),
    'On the command line:',
    `\`\`\`sh\n${commandOf(kind, label, fields, exampleFields)}\n\`\`\``,
  ]
  if (placeholders) {
    blocks.push(
      '## Placeholders',
      `${placeholders.where} may contain placeholders:`,
      table(
        ['Placeholder', 'Replaced with'],
        placeholders.list.map(({ name, means }) => [`\`${name}\``, means]),
      ),
    )
  }
  if (setup?.way === 'authorise') blocks.push('## Connecting', connectingTo(kind, setup))
  if (guide) blocks.push('## Details', guide.trim())
  if (operatorSettings.length > 0) {
    blocks.push(
      '## Settings for the operator',
      ...(required.length > 0 ? [`To send messages, set ${listOf(required)}.`] : []),
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

function connectingTo(kind, { help, needs, byHand }) {
  const back = `Register \`{SITE_ROOT}/integrations/callback/${kind}/\` with the service as the address to return to.`
  const by = needs.length > 0 ? `This requires ${listOf(needs)}.` : ''
  const hand = byHand ? 'You can also fill in the fields by hand.' : ''
  return [help, by, back, hand].filter(Boolean).join(' ')
}

/** Joins names as `A or B and C`. In a list within the list, one name is enough. */
function listOf(names) {
  const words = names.map(name =>
    [name]
      .flat()
      .map(one => `\`${one}\``)
      .join(' or '),
  )
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function meaningOf({ label, help, sensitive, setByService }) {
  const name = setByService ? 'For display only.' : ''
  return [`${label}.`, help, name, sensitive ? 'Masked when shown.' : ''].filter(Boolean).join(' ')
}

const FORMATS = {
  text: 'text',
  multiline: 'multi-line text',
  url: 'http or https URL',
  email: 'e-mail address',
  flag: '`true` or `false`',
  number: 'whole number',
  channels: 'UUIDs of channels, separated by commas',
}

function formatOf({ type, choices, choiceLabels = {}, maxLength, required, default: value }) {
  const parts = [
    type === 'choice'
      ? choices.map(choice => wordFor(choice, choiceLabels[choice])).join(', ')
      : FORMATS[type],
  ]
  if (maxLength) parts.push(`at most ${maxLength} characters`)
  if (required) parts.push('required')
  if (value) parts.push(`default \`${value}\``)
  return parts.join('; ')
}

function wordFor(choice, label) {
  const meaning = label?.replace(` (${choice})`, '').toLowerCase()
  return meaning && meaning !== choice ? `\`${choice}\` (${meaning})` : `\`${choice}\``
}

function commandOf(kind, label, fields, example) {
  const needed = fields.filter(({ name, required }) => (example ? example.includes(name) : required))
  const shown = needed.length > 0 ? needed : fields.slice(0, 1)
  const sets = shown.map(({ name }) => ` --set ${name}=VALUE`).join('')
  return `punctual channel add --project UUID --kind ${kind} --name "${label}"${sets}`
}
