import { may, type Role } from '../../../core/people/role.js'
import { ApiTokens } from '../../components/api-tokens.js'
import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { errorOf } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Sectioned } from '../../components/sectioned.js'
import { Layout } from '../../layout.js'
import { Api } from './project-settings/api.js'
import { Deletion } from './project-settings/deletion.js'
import { Keys } from './project-settings/keys.js'
import { People } from './project-settings/people.js'
import { Protocols } from './project-settings/protocols.js'
import type { ProjectSettings } from './project-settings/settings.js'
import { Transfer } from './project-settings/transfer.js'
import { Webhooks } from './project-settings/webhooks.js'

/** Everything about a project except its checks and channels. */
export function ProjectSettingsPage(settings: ProjectSettings) {
  const { page, project, members, reader, refused } = settings
  const offer = members.find(({ transferRequestedAt }) => transferRequestedAt !== null)
  return (
    <Layout page={page} title="Settings" section="settings">
      <PageHead title="Settings" />
      <Sectioned sections={sectionsFor(project.role)}>
        {offer?.uuid === reader ? <Transfer {...settings} offeredTo={offer} /> : null}
        {may(project.role, 'write') ? (
          <>
            <Name page={page} project={project} refused={refused} />
            <Keys {...settings} />
            <ApiTokens
              page={page}
              path={`/projects/${project.uuid}/tokens/`}
              tokens={settings.tokens}
              shown={settings.shown?.what === 'token' ? settings.shown.text : null}
              siteRoot={settings.siteRoot}
              lead="Programs use a token to read and change this project, as far as its scopes allow."
            />
            <Api {...settings} />
            <Protocols {...settings} />
          </>
        ) : null}
        {may(project.role, 'manage') ? <Webhooks {...settings} /> : null}
        <People {...settings} />
        {may(project.role, 'own') ? (
          <>
            <Transfer {...settings} offeredTo={offer ?? null} />
            <Deletion {...settings} />
          </>
        ) : null}
      </Sectioned>
    </Layout>
  )
}

/** The sections that a user with this role can see. */
function sectionsFor(role: Role) {
  const write = may(role, 'write')
  const own = may(role, 'own')
  return [
    ...(write
      ? [
          { id: 'name', label: 'Project' },
          { id: 'keys', label: 'API keys' },
          { id: 'ping-key', label: 'Ping key' },
          { id: 'tokens', label: 'API tokens' },
          { id: 'api', label: 'API' },
          { id: 'protocols', label: 'Other monitors' },
        ]
      : []),
    ...(may(role, 'manage') ? [{ id: 'webhooks', label: 'Event webhooks' }] : []),
    { id: 'people', label: 'People' },
    ...(own
      ? [
          { id: 'transfer', label: 'Transfer' },
          { id: 'delete', label: 'Delete' },
        ]
      : []),
  ]
}

function Name({ page, project, refused }: Pick<ProjectSettings, 'page' | 'project' | 'refused'>) {
  const problem = refused?.form === 'name' ? refused.problem : null
  return (
    <section class="section" id="name">
      <h2>Project</h2>
      <PostForm page={page} action={`/projects/${project.uuid}/name/`} class="form form-line">
        <Field
          label="Name"
          name="name"
          value={problem ? refused!.typed.name : project.name}
          maxlength={100}
          error={errorOf(problem, 'name')}
        />
        <div class="form-end">
          <Button>Rename</Button>
        </div>
      </PostForm>
    </section>
  )
}
