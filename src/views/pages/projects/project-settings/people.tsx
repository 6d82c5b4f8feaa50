import { MEMBER_ROLES, may, ROLE_NAMES } from '../../../../core/people/role.js'
import { CopyLine } from '../../../components/copy.js'
import { Menu } from '../../../components/disclosure.js'
import { EmailAddress } from '../../../components/email-address.js'
import { Button } from '../../../components/forms/button.js'
import { Field, Select } from '../../../components/forms/field.js'
import { errorOf, FormProblem } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { LeaveProject } from '../../../components/leave-project.js'
import { Table } from '../../../components/table.js'
import { Time } from '../../../components/time.js'
import type { OpenInvitation, Person, ProjectSettings } from './settings.js'

const ROLES = MEMBER_ROLES.map(role => ({ value: role, label: ROLE_NAMES[role] }))

/** The members of the project, the open invitations, and a form to invite. */
export function People(settings: ProjectSettings) {
  const { project, members, invitations } = settings
  const manages = may(project.role, 'manage')
  return (
    <section class="section" id="people">
      <h2>People</h2>
      <Table
        caption="People"
        columns={[
          { title: 'Address', grow: true },
          { title: 'Role' },
          { title: 'Actions', silent: true, align: 'right' },
        ]}
      >
        {members.map(person => (
          <PersonRow {...settings} person={person} />
        ))}
        {invitations.map(invitation => (
          <InvitationRow {...settings} invitation={invitation} />
        ))}
      </Table>
      {manages ? <Invite {...settings} /> : null}
    </section>
  )
}

function PersonRow({ page, project, reader, person }: ProjectSettings & { person: Person }) {
  const manages = may(project.role, 'manage')
  const isReader = person.uuid === reader
  const at = `/projects/${project.uuid}`
  return (
    <tr>
      <td class="grow breakable">
        <EmailAddress address={person.email} />
        {isReader ? <span class="muted"> (you)</span> : null}
      </td>
      <td class="figure">{ROLE_NAMES[person.role]}</td>
      <td class="right">
        {person.role === 'owner' || (!manages && !isReader) ? null : isReader ? (
          <LeaveProject page={page} project={project} />
        ) : (
          <Menu label="Change" end>
            <PostForm page={page} action={`${at}/members/${person.uuid}/role/`} class="menu-form">
              <Select
                label="Role"
                name="role"
                id={`role-${person.uuid}`}
                value={person.role}
                options={ROLES}
              />
              <button type="submit" class="button button-small">
                Change role
              </button>
            </PostForm>
            <PostForm page={page} action={`${at}/members/${person.uuid}/remove/`} class="menu-form menu-foot">
              <p>
                <EmailAddress address={person.email} /> will no longer see this project.
              </p>
              <button type="submit" class="button button-danger button-small">
                Remove from the project
              </button>
            </PostForm>
          </Menu>
        )}
      </td>
    </tr>
  )
}

function InvitationRow({ page, project, invitation }: ProjectSettings & { invitation: OpenInvitation }) {
  return (
    <tr>
      <td class="grow breakable">
        {invitation.email ? <EmailAddress address={invitation.email} /> : 'Anyone with the link'}
        <span class="help">
          Invited{invitation.inviter ? ` by ${invitation.inviter}` : ''}; anyone with the link can join until{' '}
          <Time page={page} at={invitation.expiresAt} show="clock" />
        </span>
      </td>
      <td class="figure">{ROLE_NAMES[invitation.role]}</td>
      <td class="right">
        <PostForm page={page} action={`/projects/${project.uuid}/invitations/${invitation.uuid}/withdraw/`}>
          <Button small look="quiet">
            Withdraw
          </Button>
        </PostForm>
      </td>
    </tr>
  )
}

function Invite({ page, project, invitable, sendsMail, shown, refused }: ProjectSettings) {
  const problem = refused?.form === 'invitation' ? refused.problem : null
  return (
    <div class="after-table stack">
      {shown?.what === 'invitation' ? (
        <div class="notice stack">
          <p>
            {shown.sentTo
              ? `The invitation was sent to ${shown.sentTo}. If it does not arrive, share this link:`
              : 'Share this link. Anyone with the link can join; it works once, within a week.'}
          </p>
          <CopyLine text={shown.text} label="the link" />
        </div>
      ) : null}
      <h3>Invite someone</h3>
      <datalist id="invitable">
        {invitable.map(email => (
          <option value={email} />
        ))}
      </datalist>
      <PostForm page={page} action={`/projects/${project.uuid}/invitations/add/`} class="form">
        <FormProblem problem={problem} />
        <div class="form-row">
          <Field
            label={sendsMail ? 'E-mail address' : 'E-mail address (optional)'}
            name="email"
            type="email"
            id="invite-email"
            list="invitable"
            value={problem ? refused!.typed.email : undefined}
            help={
              sendsMail
                ? 'The invitation is sent to this address. Leave empty to get a link to share.'
                : 'You get a link to share, because this installation sends no e-mail.'
            }
            error={errorOf(problem, 'email')}
          />
          <Select
            label="Role"
            name="role"
            id="invite-role"
            value={(problem && refused?.typed.role) || 'member'}
            options={ROLES}
            help="Managers can invite and remove people. Read-only members cannot change anything, but can see the ping URLs."
            error={errorOf(problem, 'role')}
          />
        </div>
        <div class="form-end">
          <Button>Invite</Button>
        </div>
      </PostForm>
    </div>
  )
}
