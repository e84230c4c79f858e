/** What every API key of this version starts with. */
export const apiKeyPrefix = 'svc_v1_';
