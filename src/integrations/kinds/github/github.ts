/**
 * Opens issues in a GitHub repository when checks go down, and for notices. It does not report recoveries, because the
 * issues are tasks for people. Source: docs/behaviour.md, section 8.4; GitHub's REST API.
 */

import { Refusal } from '../../../core/errors.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { matches } from '../../formats.js'
import { postJson } from '../../http/post-json.js'
import { DeliveryError, type Destination, type Integration } from '../../integration.js'
import { clip, clipMiddle } from '../../text/clip.js'
import { markdownAlert, markdownNotice } from '../../text/incident-markdown.js'
import { summary } from '../../text/incident-text.js'
import { readerZone } from '../../text/reader-zone.js'
import type { Transports } from '../../transports.js'
import { appToken, expectTaken, GITHUB_API, githubHeaders, installationToken } from './github-app.js'
import { githubSetup } from './github-setup.js'

const TITLE_CHARACTERS = 256
const BODY_CHARACTERS = 60_000

const REPOSITORY = /^[\w-][\w.-]*\/(?!\.{1,2}$)[\w.-]+$/

export const github: Integration = {
  kind: 'github',
  label: 'GitHub',
  category: 'work',
  colour: '#24292f',
  help: 'Opens an issue in a GitHub repository when a check goes down. It does not report recoveries.',
  guide: `
The operator registers a GitHub app with write access to issues, and sets \`GITHUB_CLIENT_ID\`,
\`GITHUB_CLIENT_SECRET\`, \`GITHUB_PRIVATE_KEY\` (the text of the PEM file, or its path in \`GITHUB_PRIVATE_KEY_FILE\`)
and \`GITHUB_PUBLIC_LINK\`. You install the app for your repositories, and choose one of them and the labels of the
issues. This is easiest if the app requests authorisation during installation. Names and job output in issues are
escaped, so that they mention nobody.

Punctual disables the channel if the repository has issues turned off, or if the app loses access to it.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<circle cx="6" cy="5" r="2"/><circle cx="6" cy="19" r="2"/><circle cx="18" cy="8" r="2"/>' +
    '<path d="M6 7v10M18 10c0 4-6 3-11 7"/></svg>',
  operatorSettings: [
    { name: 'GITHUB_CLIENT_ID', help: 'The client ID of a GitHub app with write access to issues.' },
    { name: 'GITHUB_CLIENT_SECRET', secret: true, help: 'A client secret of that app.' },
    { name: 'GITHUB_PRIVATE_KEY', secret: true, help: 'A private key of that app, in PEM format.' },
    { name: 'GITHUB_PUBLIC_LINK', help: 'The public page of that app, where users install it.' },
  ],
  needs: ['GITHUB_CLIENT_ID', 'GITHUB_PRIVATE_KEY'],
  setup: githubSetup,
  fields: [
    {
      name: 'installation_id',
      label: 'Installation',
      type: 'number',
      required: true,
      format: matches(/^[1-9]/, 'Enter the number of an installation.'),
    },
    { name: 'repo', label: 'Repository', type: 'text', required: true, maxLength: 200, help: '`owner/name`' },
    { name: 'labels', label: 'Labels', type: 'text', maxLength: 500, help: 'Separated by commas.' },
  ],
  check(settings) {
    if (REPOSITORY.test(settings.repo!)) return settings
    throw new Refusal('invalid', 'Enter the repository as owner/name.', 'repo')
  },
  describe: ({ repo }) => repo!,
  wants: (_settings, status) => status === 'down',
  async send(alert, to, transports) {
    await openIssue(
      to,
      transports,
      alert.now,
      summary(alert, readerZone(alert, to)),
      markdownAlert(alert, to),
    )
  },
  async notify(notice, to, transports) {
    await openIssue(to, transports, notice.now, oneLine(notice.title), markdownNotice(notice))
  },
}

async function openIssue(
  to: Destination,
  transports: Transports,
  now: number,
  title: string,
  body: string,
): Promise<void> {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_PRIVATE_KEY: privateKey } = to.operator
  if (!clientId || !privateKey) throw new DeliveryError('GitHub notifications are not enabled.')
  const { installation_id, repo, labels } = to.settings
  const token = await installationToken(transports, appToken(clientId, privateKey, now), installation_id!)
  if (token === null) throw denied(repo!)
  const issue = {
    title: clipMiddle(title, TITLE_CHARACTERS),
    body: clip(body, BODY_CHARACTERS),
    labels: labels!
      .split(',')
      .map(label => label.trim())
      .filter(label => label !== ''),
  }
  const answer = await transports.http(
    postJson(`${GITHUB_API}/repos/${repo}/issues`, issue, githubHeaders(token)),
  )
  if (answer.status === 404) throw denied(repo!)
  expectTaken(answer, { permanent: [410] })
}

/** GitHub gives the same response for repositories that do not exist and for those that the app cannot access. */
function denied(repo: string): DeliveryError {
  return new DeliveryError(`GitHub denied access to ${repo}`, { permanent: true })
}
