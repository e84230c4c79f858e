import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Returns the address of the caller, as far as we can trust it. */
export type ClientAddress = (message: IncomingMessage) => string;

/**
 * Creates the function that finds a caller's address.
 *
 * Behind proxies that we trust, the caller is the last address in X-Forwarded-For that is not one of them.
 * Addresses before it may be invented.
 */
export function createClientAddress(trustedProxies: string[]): ClientAddress {
  const proxies = new BlockList();
  for (const proxy of trustedProxies) addTo(proxies, proxy);
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, familyOf(address));

  return ({ socket, headers }) => {
    const direct = plain(socket.remoteAddress ?? '');
    if (!isProxy(direct)) return direct;
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const callers = forwarded
      .map((address) => plain(address.trim()))
      .filter((address) => isIP(address) !== 0);
    return callers.findLast((address) => !isProxy(address)) ?? direct;
  };
}

function addTo(list: BlockList, proxy: string): void {
  const [address = '', prefix] = proxy.split('/');
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(prefix), familyOf(address));
}

/** Removes the prefix with which an IPv6 listener shows IPv4 addresses. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
