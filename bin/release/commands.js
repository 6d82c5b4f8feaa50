import { join } from 'node:path'

/**
 * The commands that publish version `version`, each a list of words. `folder` is the absolute path of the release's
 * files, `files` their names, `image` the name of the container image without a tag, and `revision` the commit. A
 * prerelease such as 1.2.0-rc.1 never becomes the default version.
 */
export function npmCommand({ version, folder, files }) {
  const file = join(
    folder,
    files.find(name => name.endsWith('.tgz')),
  )
  return [
    'npm',
    'publish',
    file,
    '--access',
    'public',
    '--provenance',
    '--tag',
    isTrial(version) ? 'next' : 'latest',
  ]
}

export function githubCommand({ version, folder, files }) {
  const kind = isTrial(version) ? ['--prerelease'] : []
  const notes = join(folder, 'notes.md')
  return [
    ...['gh', 'release', 'create', `v${version}`, '--verify-tag', '--title', `Punctual ${version}`],
    ...['--notes-file', notes, ...kind, ...files.map(name => join(folder, name))],
  ]
}

export function imageCommand({ version, image, revision, source, metadata }) {
  const name = image.toLowerCase()
  const labels = { version, revision, source, licenses: 'MIT', title: 'Punctual' }
  return [
    ...['docker', 'buildx', 'build', '--file', 'deploy/Dockerfile', '--push', '--provenance=mode=max'],
    ...['--platform', 'linux/amd64,linux/arm64', '--metadata-file', metadata],
    ...Object.entries(labels).flatMap(([key, value]) => [
      '--label',
      `org.opencontainers.image.${key}=${value}`,
    ]),
    ...imageTags(version).flatMap(tag => ['--tag', `${name}:${tag}`]),
    '.',
  ]
}

function imageTags(version) {
  if (isTrial(version)) return [version]
  const [major, minor] = version.split('.')
  return [version, `${major}.${minor}`, 'latest']
}

function isTrial(version) {
  return version.includes('-')
}
