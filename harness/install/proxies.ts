import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The host name in the files of deploy/. */
export const domain = 'results.example.org';

export interface Ports {
  api: number;
  site: number;
  ops: number;
  https: number;
  /** The folder of `wartable files`. */
  data: string;
}

interface Proxy {
  /** The certificate that callers trust. */
  authority: string;
  stop: () => Promise<void>;
}

export interface KindOfProxy {
  program: string;
  /** Starts the proxy with its file from deploy/. Only ports and certificates differ. */
  start: (folder: string, ports: Ports) => Promise<Proxy>;
}

export const caddy: KindOfProxy = { program: 'caddy', start: startCaddy };
export const nginx: KindOfProxy = { program: 'nginx', start: startNginx };

export const proxies: KindOfProxy[] = [caddy, nginx];

/** Returns why tests that need all proxies cannot run here, or false. `.ci/install` installs the programs. */
export async function withoutProxies(): Promise<string | false> {
  const installed = await Promise.all(proxies.map(({ program }) => isInstalled(program)));
  return installed.includes(false) ? 'caddy and nginx are not both installed' : false;
}

export async function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );
}

async function startCaddy(folder: string, ports: Ports): Promise<Proxy> {
  const options = `{
	admin off
	local_certs
	skip_install_trust
	auto_https disable_redirects
	https_port ${ports.https}
}
`;
  const file = path.join(folder, 'Caddyfile');
  const shipped = await deployed('Caddyfile');
  await writeFile(
    file,
    options + withPorts(shipped, ports).replace('health_port 9090', `health_port ${ports.ops}`),
  );
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: environment,
    stdio: 'ignore',
  });
  const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  return { authority: await untilReadable(authority, child), stop: () => stop(child) };
}

async function startNginx(folder: string, ports: Ports): Promise<Proxy> {
  const [certificate, key] = [path.join(folder, 'fullchain.pem'), path.join(folder, 'privkey.pem')];
  const subject = ['-subj', `/CN=${domain}`, '-addext', `subjectAltName=DNS:${domain}`];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    ...subject,
    ...files,
  ]);
  const server = withPorts(await deployed('nginx.conf'), ports)
    .replace('/var/lib/nginx/wartable', `${folder}/kept`)
    .replace(/^\tlisten (\[::\]:)?80;\n/gm, '')
    .replace(/^\tlisten \[::\]:443 .*\n/gm, '')
    .replace('server {', `server {\n\tlisten unix:${folder}/unused;`)
    .replace('listen 443', `listen 127.0.0.1:${ports.https}`)
    .replaceAll(`/etc/letsencrypt/live/${domain}`, folder);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = path.join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log;
worker_rlimit_nofile 20000; events { worker_connections 20000; }
http { access_log off; ${paths.join(' ')}
${server} }`,
  );
  const child = spawn('nginx', ['-c', file, '-p', folder, '-e', path.join(folder, 'error.log')], {
    stdio: 'inherit',
  });
  return { authority: await readFile(certificate, 'utf8'), stop: () => stop(child) };
}

export function deployed(file: string): Promise<string> {
  return readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
}

function withPorts(text: string, ports: Ports): string {
  return text
    .replaceAll('/srv/wartable-files', ports.data)
    .replaceAll(/(127\.0\.10\.\d):3000/g, `$1:${ports.api}`)
    .replaceAll(/(127\.0\.10\.\d):3001/g, `$1:${ports.site}`);
}

async function untilReadable(file: string, child: ChildProcess): Promise<string> {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return text;
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}`);
    await sleep(100);
  }
  throw new Error(`the proxy did not write ${file}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
