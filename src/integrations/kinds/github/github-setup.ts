/**
 * GitHub's app: a person shows who they are, and chooses a repository of an installation that they may see; an
 * installation's number alone, which anybody can put into an address, opens nothing.
 * Source: https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import { expectOk } from '../../http/expect-ok.js'
import { codeIn, exchanged, exchangeRequest, withQuery } from '../../http/oauth.js'
import { readAnswer } from '../../http/read-answer.js'
import type { Authorisation, OAuthAttempt, Option } from '../../setup.js'
import type { HttpRequest, Transports } from '../../transports.js'

const API = 'https://api.github.com'
const PER_PAGE = 100
/** Of each installation no more are offered. */
const MOST_PAGES = 5

const granted = z.object({ access_token: z.string().min(1) })
const installations = z.object({
  installations: z.array(
    z.object({ id: z.number().int(), account: z.object({ login: z.string() }).nullish() }),
  ),
})
const repositories = z.object({ repositories: z.array(z.object({ full_name: z.string() })) })

export const githubSetup: Authorisation = {
  way: 'authorise',
  needs: ['GITHUB_CLIENT_SECRET', 'GITHUB_PUBLIC_LINK'],
  byHand: false,
  fixed: ['installation_id', 'repo'],
  help: 'GitHub asks who you are and, where the app is not installed yet, which repositories it may use; then choose one here.',
  authorise,
  async finish(answer, { operator, redirectUri }, transports) {
    if (answer.setup_action === 'request') {
      throw new Refusal(
        'invalid',
        'an owner of the organisation has to approve the app first; then connect again',
      )
    }
    // Installed without being asked who one is: that is asked now.
    if (answer.installation_id !== undefined && !answer.code) return { onward: authorise }
    const request = exchangeRequest('https://github.com/login/oauth/access_token', {
      client_id: operator.GITHUB_CLIENT_ID!,
      client_secret: operator.GITHUB_CLIENT_SECRET!,
      code: codeIn(answer),
      redirect_uri: redirectUri,
    })
    const { access_token } = exchanged(granted, await transports.http(request))
    if ((await installed(access_token, transports)).length > 0) {
      return { draft: { settings: {}, aside: { access_token } } }
    }
    if (answer.installation_id !== undefined) {
      throw new Refusal('invalid', 'the app is not installed on an account of yours')
    }
    return {
      onward: ({ state }) =>
        withQuery(`${operator.GITHUB_PUBLIC_LINK!.replace(/\/$/, '')}/installations/new`, { state }),
    }
  },
  asks: ['repo', 'labels'],
  async options({ aside }, _operator, transports) {
    const token = aside?.access_token ?? ''
    const found = await installed(token, transports)
    const repo = (await Promise.all(found.map(one => repositoriesOf(one, token, transports)))).flat()
    if (repo.length === 0) throw new Refusal('invalid', 'the app may use none of your repositories at GitHub')
    return { repo }
  },
}

function authorise({ operator, redirectUri, state }: OAuthAttempt): string {
  return withQuery('https://github.com/login/oauth/authorize', {
    client_id: operator.GITHUB_CLIENT_ID!,
    redirect_uri: redirectUri,
    state,
  })
}

interface Installed {
  id: number
  account: string
}

async function installed(token: string, transports: Transports): Promise<Installed[]> {
  const answer = await transports.http(get(`/user/installations?per_page=${PER_PAGE}`, token))
  if (answer.status === 401) throw new Refusal('invalid', 'GitHub does not know you any more: begin again')
  return readAnswer(installations, expectOk(answer)).installations.map(({ id, account }) => ({
    id,
    account: account?.login ?? '',
  }))
}

async function repositoriesOf(
  { id, account }: Installed,
  token: string,
  transports: Transports,
): Promise<Option[]> {
  const found: Option[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const path = `/user/installations/${id}/repositories?per_page=${PER_PAGE}&page=${page}`
    const listed = readAnswer(repositories, expectOk(await transports.http(get(path, token)))).repositories
    for (const { full_name: repo } of listed) {
      found.push({ label: repo, group: account, settings: { repo, installation_id: String(id) } })
    }
    if (listed.length < PER_PAGE) break
  }
  return found
}

function get(path: string, token: string): HttpRequest {
  return {
    method: 'GET',
    url: API + path,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
    },
    keepBytes: 4_194_304,
  }
}
