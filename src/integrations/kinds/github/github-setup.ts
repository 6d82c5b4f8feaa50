/**
 * Connects the GitHub app: the user authenticates and chooses a repository from the installations that they have access
 * to. The number of an installation in the address is not proof of access, because anyone can enter it.
 * Source: https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import { expectOk } from '../../http/expect-ok.js'
import { codeIn, exchangeRequest, readExchange, withQuery } from '../../http/oauth.js'
import { readAnswer } from '../../http/read-answer.js'
import type { Authorisation, OAuthAttempt, Option } from '../../setup.js'
import type { HttpRequest, Transports } from '../../transports.js'

const API = 'https://api.github.com'
const PER_PAGE = 100
/** The maximum number of pages to read per installation. */
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
        'an owner of the organisation must approve the app first; then connect again',
      )
    }
    // The app was installed without authentication: authenticate now.
    if (answer.installation_id !== undefined && !answer.code) return { onward: authorise }
    const request = exchangeRequest('https://github.com/login/oauth/access_token', {
      client_id: operator.GITHUB_CLIENT_ID!,
      client_secret: operator.GITHUB_CLIENT_SECRET!,
      code: codeIn(answer),
      redirect_uri: redirectUri,
    })
    const { access_token } = readExchange(granted, await transports.http(request))
    if ((await listInstallations(access_token, transports)).length > 0) {
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
    const found = await listInstallations(token, transports)
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

interface Installation {
  id: number
  account: string
}

async function listInstallations(token: string, transports: Transports): Promise<Installation[]> {
  const answer = await transports.http(get(`/user/installations?per_page=${PER_PAGE}`, token))
  if (answer.status === 401) throw new Refusal('invalid', 'GitHub sign-in has expired: start again')
  return readAnswer(installations, expectOk(answer)).installations.map(({ id, account }) => ({
    id,
    account: account?.login ?? '',
  }))
}

async function repositoriesOf(
  { id, account }: Installation,
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
