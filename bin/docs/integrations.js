// Writes a page for each kind of channel from what its own file declares.
import { table } from './made-part.js'

/**
 * The pages of docs/integrations/, by their path in the repository. `integrations` is the registry's list.
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
      ['Field', 'Meaning', 'Form'],
      fields.map(field => [`\`${field.name}\``, meaningOf(field), formOf(field)]),
    ),
    'On the command line:',
    `\`\`\`sh\n${commandOf(kind, label, fields)}\n\`\`\``,
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
      '## Settings of the operator',
      ...(required.length > 0 ? [`Nothing can be sent without ${listOf(required)}.`] : []),
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
  const back = `The service leads people back to \`{SITE_ROOT}/integrations/callback/${kind}/\`; register this address with it.`
  const by = needs.length > 0 ? `The operator makes this possible with ${listOf(needs)}.` : ''
  const hand = byHand ? 'The fields above can be filled in by hand as well.' : ''
  return [help, by, back, hand].filter(Boolean).join(' ')
}

/** `A`, `B` or `C`, and `D`: of a list within the list one is enough. */
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
  const name = setByService ? 'Only a name by which to recognise it.' : ''
  return [`${label}.`, help, name, sensitive ? 'Shown masked.' : ''].filter(Boolean).join(' ')
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

function formOf({ type, choices, choiceLabels = {}, maxLength, required, default: value }) {
  const parts = [
    type === 'choice' ? choices.map(choice => wordFor(choice, choiceLabels[choice])).join(', ') : FORMS[type],
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

function commandOf(kind, label, fields) {
  const needed = fields.filter(({ required }) => required)
  const shown = needed.length > 0 ? needed : fields.slice(0, 1)
  const sets = shown.map(({ name }) => ` --set ${name}=VALUE`).join('')
  return `punctual channel add --project UUID --kind ${kind} --name "${label}"${sets}`
}
