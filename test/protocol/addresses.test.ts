import { describe, expect, test } from 'vitest';
import { addressesOf, downloadAddress, reachableAddress } from '../../src/protocol/addresses.ts';

describe('the addresses of a deployment', () => {
  const gis = {
    root: 'https://gis.example.com/arcgis/admin',
    exportLogs: 'https://gis.example.com/arcgis/admin/logs/export',
    searchLogs: 'https://gis.example.com/arcgis/admin/logs/search',
    properties: 'https://gis.example.com/arcgis/admin/system/deployments/properties',
    upgrades: 'https://gis.example.com/arcgis/admin/system/upgrades',
    upload: 'https://gis.example.com/arcgis/admin/uploads/upload',
    catalog: 'https://gis.example.com/arcgis/services',
    generateToken: 'https://gis.example.com/arcgis/sharing/rest/generateToken',
    revokeToken: 'https://gis.example.com/arcgis/sharing/rest/oauth2/revokeToken',
  };

  test.each([
    'https://gis.example.com/arcgis',
    'https://gis.example.com/arcgis/',
    'https://gis.example.com/arcgis/admin',
    'https://gis.example.com/arcgis/admin/',
    'https://gis.example.com/arcgis/admin/logs/export?f=json',
    'https://gis.example.com/arcgis/services?wsdl',
    'https://GIS.example.com:443/arcgis?token=abc#top',
  ])('%s', (address) => {
    expect(addressesOf(address)).toEqual(gis);
  });

  test('a deployment at the top of its host', () => {
    expect(addressesOf('http://127.0.0.1:7443')).toMatchObject({
      root: 'http://127.0.0.1:7443/admin',
      generateToken: 'http://127.0.0.1:7443/sharing/rest/generateToken',
    });
  });

  test.each([
    ['gis.example.com', 'requires the form https://HOST/PATH'],
    ['', 'requires the form https://HOST/PATH'],
    ['ftp://gis.example.com', 'requires the form https://HOST/PATH'],
    ['ada:secret@gis.example.com', 'requires the form https://HOST/PATH'],
    ['https://ada:secret@gis.example.com/arcgis', 'must not hold a user name or a password'],
  ])('"%s" is refused without being quoted', (address, problem) => {
    expect(addressesOf(address)).toEqual({ problem: expect.stringContaining(problem) });
    expect(JSON.stringify(addressesOf(address))).not.toContain('secret');
  });
});

describe('where to ask for a resource that the deployment named', () => {
  const root = 'https://gis.example.com/arcgis/admin';

  test.each([
    ['https://gis.example.com/arcgis/admin/jobs/j1', 'https://gis.example.com/arcgis/admin/jobs/j1'],
    ['http://10.0.0.7:7443/arcgis/admin/jobs/j1?a=b', 'https://gis.example.com/arcgis/admin/jobs/j1?a=b'],
    [
      'https://gis.example.com/arcgis/admin/jobs/j1?token=abc',
      'https://gis.example.com/arcgis/admin/jobs/j1',
    ],
    ['jobs/j1', 'https://gis.example.com/arcgis/admin/jobs/j1'],
    [
      'https://ann:secret@store.example.com/b/x.zip?X-Sig=a%2Fb',
      'https://store.example.com/b/x.zip?X-Sig=a%2Fb',
    ],
    [
      'https://store.example.com/b/x.zip?X-Sig=a%2Fb%20c',
      'https://store.example.com/b/x.zip?X-Sig=a%2Fb%20c',
    ],
    ['https://store.example.com/arcgis/adminer/x.zip', 'https://store.example.com/arcgis/adminer/x.zip'],
    ['file:///etc/passwd', undefined],
    ['https://', undefined],
  ])('%s', (named, address) => {
    expect(reachableAddress(named, root)).toBe(address);
  });

  test.each([
    ['https://h/a/admin/uploads/i1', 'https://h/a/admin/uploads/i1/download'],
    ['https://h/a/admin/uploads/i1/?v=2', 'https://h/a/admin/uploads/i1/download?v=2'],
  ])('the bytes of %s', (upload, address) => {
    expect(downloadAddress(upload)).toBe(address);
  });
});
