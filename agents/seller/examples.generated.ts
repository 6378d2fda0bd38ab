import type { Examples } from "../../protocol/openapi/openapi.ts";

/** Taken from the exemplary cases by `npm run gen`. */
export const sellerExamples: Examples = {
  "get_product": {
    "request": {
      "product_id": "prod-53e78a97"
    },
    "response": {
      "product_id": "prod-53e78a97",
      "name": "CTV Premium Streaming",
      "description": "Full-screen ads in premium streaming on connected televisions.",
      "inventory_type": "ctv",
      "base_cpm": 35,
      "final_cpm": 29.75,
      "floor_cpm": null,
      "price_range": null,
      "currency": "USD",
      "deal_types": [
        "programmaticguaranteed"
      ],
      "seller_organization_id": "seller-premium-pub-001",
      "base_price": {
        "amount_micros": 35000000,
        "currency": "USD"
      },
      "pricing_type": "fixed",
      "pricing_model": "cpm",
      "delivery_type": "Guaranteed",
      "domain": null,
      "ad_formats": [
        "ctv"
      ],
      "audience_targeting": {
        "demo": [
          "A18-49",
          "A25-54"
        ],
        "geo": [
          "US"
        ]
      },
      "ad_product_targeting": null,
      "content_targeting": {
        "genre": [
          "drama",
          "comedy",
          "sports",
          "news"
        ],
        "content_rating": [
          "TV-PG",
          "TV-14"
        ]
      },
      "available_impressions": 20000000,
      "commercial_terms": null,
      "ext": {
        "inventory_type": "ctv",
        "floor_cpm": null,
        "minimum_impressions": 10000,
        "deal_types": [
          "PG"
        ],
        "audience_capabilities": []
      }
    }
  },
  "list_products": {
    "request": {
      "limit": 10,
      "cursor": "10"
    },
    "response": {
      "products": [
        {
          "product_id": "prod-6c6b953d",
          "name": "Comcast Addressable Linear — National",
          "description": "Linear spots that are placed household by household.",
          "inventory_type": "linear_tv",
          "base_cpm": null,
          "final_cpm": null,
          "floor_cpm": null,
          "price_range": "$44-$66 CPM",
          "currency": "USD",
          "deal_types": [
            "programmaticguaranteed",
            "privateauction"
          ],
          "seller_organization_id": "seller-premium-pub-001",
          "base_price": null,
          "pricing_type": "fixed",
          "pricing_model": "cpm",
          "delivery_type": "Guaranteed",
          "domain": null,
          "ad_formats": [
            "linear_tv"
          ],
          "audience_targeting": {
            "geo": [
              "US"
            ],
            "household_income": [
              "75k-100k",
              "100k+"
            ],
            "presence_of_children": [
              "true",
              "false"
            ]
          },
          "ad_product_targeting": null,
          "content_targeting": null,
          "available_impressions": null,
          "commercial_terms": null,
          "ext": {
            "inventory_type": "linear_tv",
            "floor_cpm": null,
            "minimum_impressions": 10000,
            "deal_types": [
              "PG",
              "PA"
            ],
            "audience_capabilities": []
          }
        },
        {
          "product_id": "prod-c6383323",
          "name": "Programmatic Linear Reach — A25-54 Primetime",
          "description": "Prime-time reach among adults from 25 to 54 over several networks.",
          "inventory_type": "linear_tv",
          "base_cpm": null,
          "final_cpm": null,
          "floor_cpm": null,
          "price_range": "$24-$36 CPM",
          "currency": "USD",
          "deal_types": [
            "programmaticguaranteed",
            "privateauction"
          ],
          "seller_organization_id": "seller-premium-pub-001",
          "base_price": null,
          "pricing_type": "fixed",
          "pricing_model": "cpm",
          "delivery_type": "Guaranteed",
          "domain": null,
          "ad_formats": [
            "linear_tv"
          ],
          "audience_targeting": {
            "demo": [
              "A25-54"
            ],
            "daypart": [
              "primetime"
            ]
          },
          "ad_product_targeting": null,
          "content_targeting": null,
          "available_impressions": null,
          "commercial_terms": null,
          "ext": {
            "inventory_type": "linear_tv",
            "floor_cpm": null,
            "minimum_impressions": 10000,
            "deal_types": [
              "PG",
              "PA"
            ],
            "audience_capabilities": []
          }
        },
        {
          "product_id": "prod-f114d7a7",
          "name": "Digital Out-of-Home — Times Square Spectacular",
          "description": "A large-format billboard on Times Square, sold on request.",
          "inventory_type": "dooh",
          "base_cpm": null,
          "final_cpm": null,
          "floor_cpm": null,
          "price_range": null,
          "currency": "USD",
          "deal_types": [
            "preferreddeal"
          ],
          "seller_organization_id": "seller-premium-pub-001",
          "base_price": null,
          "pricing_type": "on_request",
          "pricing_model": "cpm",
          "delivery_type": "Guaranteed",
          "domain": null,
          "ad_formats": [
            "dooh"
          ],
          "audience_targeting": null,
          "ad_product_targeting": null,
          "content_targeting": {
            "venue": [
              "times_square"
            ],
            "format": [
              "billboard"
            ]
          },
          "available_impressions": null,
          "commercial_terms": null,
          "ext": {
            "inventory_type": "dooh",
            "floor_cpm": null,
            "minimum_impressions": 10000,
            "deal_types": [
              "PD"
            ],
            "audience_capabilities": []
          }
        }
      ],
      "total_count": 13,
      "total": 13,
      "count": 3,
      "limit": 10,
      "offset": 10,
      "next_cursor": null
    }
  },
  "check_avails": {
    "request": {
      "productids": [
        "prod-53e78a97",
        "prod-c642fc9b"
      ],
      "accountid": "acc-1",
      "advertiserbrandid": "brand-1",
      "startdate": "2027-03-01",
      "enddate": "2027-04-01",
      "producttargeting": [
        {
          "name": "Inventory",
          "type": "Audience",
          "datasource": "b",
          "target": "requestedimpressions",
          "targetvalues": [
            "25000000"
          ],
          "selectable": true
        }
      ]
    },
    "response": {
      "avails": [
        {
          "productid": "prod-53e78a97",
          "accountid": "acc-1",
          "availability": 20000000,
          "availsstatus": {
            "status": "Partially Available",
            "reason": "Booked",
            "producttargeting": [
              {
                "name": "Inventory",
                "type": "Audience",
                "datasource": "iab-agentic-primitives",
                "target": "impressions",
                "targetvalues": [
                  "20000000"
                ],
                "selectable": false,
                "count": 20000000
              }
            ]
          },
          "currency": "USD",
          "price": 28,
          "startdate": "2027-03-01",
          "enddate": "2027-04-01"
        },
        {
          "productid": "prod-c642fc9b",
          "accountid": "acc-1",
          "availability": 25000000,
          "availsstatus": {
            "status": "Available",
            "producttargeting": [
              {
                "name": "Inventory",
                "type": "Audience",
                "datasource": "iab-agentic-primitives",
                "target": "impressions",
                "targetvalues": [
                  "25000000"
                ],
                "selectable": false,
                "count": 25000000
              }
            ]
          },
          "currency": "USD",
          "price": 6.12,
          "startdate": "2027-03-01",
          "enddate": "2027-04-01"
        }
      ]
    }
  },
  "discover_inventory": {
    "request": {
      "query": "Which audience can we reach on CTV?"
    },
    "response": {
      "access_tier": "seat",
      "tier_config": {
        "tier": "seat",
        "tier_name": "Seat",
        "description": "Exact prices for a DSP seat and limited negotiation.",
        "show_exact_price": true,
        "price_range_variance": 0,
        "tier_discount": 0.05,
        "negotiation_enabled": true,
        "premium_inventory_access": false,
        "custom_deals_enabled": true,
        "volume_discounts_enabled": false,
        "avails_granularity": "moderate"
      },
      "total": 1,
      "targeting": {
        "audience_targeting": {
          "demographics": true,
          "interests": true,
          "behaviors": true
        },
        "contextual_targeting": {
          "content_categories": true,
          "keywords": true,
          "brand_safety": true
        },
        "geographic_targeting": {
          "country": true,
          "region": true,
          "dma": true,
          "zip": true
        },
        "device_targeting": {
          "device_type": true,
          "os": true,
          "browser": true
        },
        "advanced_targeting": {
          "first_party_data": true,
          "custom_segments": true,
          "lookalike_modeling": true
        },
        "product_attributes": {
          "audience": {
            "demo": [
              "A18-49",
              "A25-54"
            ],
            "geo": [
              "US"
            ]
          },
          "content": {
            "genre": [
              "comedy",
              "drama",
              "news",
              "sports"
            ],
            "content_rating": [
              "TV-14",
              "TV-PG"
            ]
          }
        }
      }
    }
  },
  "decline_quote": {
    "request": {
      "quote_id": "qt-6cb540f9618d",
      "reason": "Campaign withdrawn"
    },
    "response": {
      "quote_id": "qt-6cb540f9618d",
      "status": "declined",
      "status_reason": "Campaign withdrawn",
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 10,
        "volume_discount_pct": 5,
        "final_cpm": 29.92,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings: 14.5%)"
      },
      "terms": {
        "impressions": 5000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "availability": {
        "inventory_available": true,
        "available_impressions": 20000000,
        "estimated_fill_rate": null,
        "competing_demand": null
      },
      "deal_type": "PG",
      "buyer_tier": "agency",
      "media_type": "digital",
      "seller_id": "seller-premium-pub-001",
      "deal_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 2,
      "sandbox": false
    }
  },
  "get_pricing": {
    "request": {
      "product_id": "prod-53e78a97",
      "volume": 5000000
    },
    "response": {
      "product_id": "prod-53e78a97",
      "base_price": 35,
      "final_price": 29.92,
      "currency": "USD",
      "tier_discount": 0.1,
      "volume_discount": 0.05,
      "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings: 14.5%)",
      "buyer_tier": "agency"
    }
  },
  "get_quote": {
    "request": {
      "quote_id": "qt-d3bb430f9025"
    },
    "response": {
      "quote_id": "qt-d3bb430f9025",
      "status": "available",
      "status_reason": null,
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 10,
        "volume_discount_pct": 5,
        "final_cpm": 29.92,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings: 14.5%)"
      },
      "terms": {
        "impressions": 5000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "availability": {
        "inventory_available": true,
        "available_impressions": 20000000,
        "estimated_fill_rate": null,
        "competing_demand": null
      },
      "deal_type": "PG",
      "buyer_tier": "agency",
      "media_type": "digital",
      "seller_id": "seller-premium-pub-001",
      "deal_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 1,
      "sandbox": false
    }
  },
  "request_quote": {
    "request": {
      "product_id": "prod-53e78a97",
      "deal_type": "PG",
      "impressions": 5000000,
      "flight_start": "2027-03-01",
      "flight_end": "2027-03-31",
      "target_cpm": 28.2
    },
    "response": {
      "quote_id": "qt-12a8aa63606b",
      "status": "available",
      "status_reason": null,
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 15,
        "volume_discount_pct": 5,
        "final_cpm": 28.2,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Advertiser tier: -15% | Volume discount: -5.0% | Final price: $28.26 CPM | (Total savings: 19.3%)"
      },
      "terms": {
        "impressions": 5000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "availability": {
        "inventory_available": true,
        "available_impressions": 20000000,
        "estimated_fill_rate": null,
        "competing_demand": null
      },
      "deal_type": "PG",
      "buyer_tier": "advertiser",
      "media_type": "digital",
      "seller_id": "seller-premium-pub-001",
      "deal_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:dc6dea61b14514e1d3833623e3e181e2ea1b142c3b9d47e91937d1a65791504e",
      "revision": 1,
      "sandbox": false
    }
  },
  "get_proposal": {
    "request": {
      "proposal_id": "prop-c56f088b"
    },
    "response": {
      "proposal_id": "prop-c56f088b",
      "recommendation": "accept",
      "status": "accepted",
      "status_reason": null,
      "counter_terms": null,
      "approval_id": null,
      "pricing_verified": false,
      "pricing_verification_reason": "No matching quote found for this buyer and product.",
      "errors": [],
      "product_id": "prod-53e78a97",
      "deal_type": "PG",
      "price": 30,
      "agreed_price": 30,
      "currency": "USD",
      "impressions": 1000000,
      "start_date": "2027-03-01",
      "end_date": "2027-03-31",
      "quote_id": null,
      "negotiation_id": null,
      "deal_id": null,
      "buyer_tier": "agency",
      "bookable_until": "2027-01-16T12:00:00.000Z",
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:ae56b8659223e35359e598e832deddbed790f029760ea363ffef2c84eafe7055",
      "revision": 1,
      "sandbox": false
    }
  },
  "submit_proposal": {
    "request": {
      "product_id": "prod-53e78a97",
      "deal_type": "PG",
      "price": 30,
      "impressions": 1000000,
      "start_date": "2027-03-01",
      "end_date": "2027-03-31",
      "quote_id": "qt-fe9da38b1bf7"
    },
    "response": {
      "proposal_id": "prop-af1dd457",
      "recommendation": "accept",
      "status": "accepted",
      "status_reason": null,
      "counter_terms": null,
      "approval_id": null,
      "pricing_verified": false,
      "pricing_verification_reason": "Proposed CPM $30.00 is outside tolerance of all active quotes.",
      "errors": [],
      "product_id": "prod-53e78a97",
      "deal_type": "PG",
      "price": 30,
      "agreed_price": 30,
      "currency": "USD",
      "impressions": 1000000,
      "start_date": "2027-03-01",
      "end_date": "2027-03-31",
      "quote_id": "qt-fe9da38b1bf7",
      "negotiation_id": null,
      "deal_id": null,
      "buyer_tier": "agency",
      "bookable_until": "2027-01-16T12:00:00.000Z",
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:ae56b8659223e35359e598e832deddbed790f029760ea363ffef2c84eafe7055",
      "revision": 1,
      "sandbox": false
    }
  },
  "counter_proposal": {
    "request": {
      "proposal_id": "prop-caa80ef8",
      "buyer_price": 27,
      "buyer_tier": "public"
    },
    "response": {
      "negotiation_id": "neg-1077ada9",
      "status": "active",
      "rounds_remaining": 3,
      "proposal_id": "prop-caa80ef8",
      "quote_id": null,
      "product_id": "prod-53e78a97",
      "currency": "USD",
      "impressions": 1000000,
      "agreed_price": null,
      "approval_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "revision": 2,
      "sandbox": false,
      "round_number": 2,
      "buyer_price": 27,
      "seller_price": 28,
      "action": "counter",
      "concession_pct": 0,
      "cumulative_concession_pct": 0.1111,
      "rationale": "The seller makes a counter-offer.",
      "timestamp": "2027-01-15T12:00:00.000Z"
    }
  },
  "get_negotiation": {
    "request": {
      "proposal_id": "prop-88c62fbb"
    },
    "response": {
      "negotiation_id": "neg-0ae45d97",
      "status": "active",
      "rounds_remaining": 4,
      "proposal_id": "prop-88c62fbb",
      "quote_id": null,
      "product_id": "prod-53e78a97",
      "currency": "USD",
      "impressions": 1000000,
      "agreed_price": null,
      "approval_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "revision": 1,
      "sandbox": false,
      "buyer_tier": "agency",
      "strategy": null,
      "base_price": 31.5,
      "floor_price": null,
      "max_rounds": null,
      "total_rounds": 1,
      "rounds": [
        {
          "round_number": 1,
          "buyer_price": 20,
          "seller_price": 28,
          "action": "counter",
          "concession_pct": 0.1111,
          "cumulative_concession_pct": 0.1111,
          "rationale": "The seller makes a counter-offer.",
          "timestamp": "2027-01-15T12:00:00.000Z"
        }
      ],
      "started_at": "2027-01-15T12:00:00.000Z",
      "completed_at": null,
      "package_id": null
    }
  },
  "get_negotiation_status": {
    "request": {
      "negotiation_id": "neg-a06dbff1"
    },
    "response": {
      "negotiation_id": "neg-a06dbff1",
      "status": "active",
      "rounds_remaining": 4,
      "proposal_id": null,
      "quote_id": "qt-fdbd5af6444b",
      "product_id": "prod-53e78a97",
      "currency": "USD",
      "impressions": 1000000,
      "agreed_price": null,
      "approval_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "revision": 1,
      "sandbox": false,
      "round": {
        "round_number": 1,
        "buyer_price": 29,
        "seller_price": 30.25,
        "action": "counter",
        "concession_pct": 0.0397,
        "cumulative_concession_pct": 0.0397,
        "rationale": "The seller makes a counter-offer.",
        "timestamp": "2027-01-15T12:00:00.000Z"
      },
      "rounds": [
        {
          "round_number": 1,
          "buyer_price": 29,
          "seller_price": 30.25,
          "action": "counter",
          "concession_pct": 0.0397,
          "cumulative_concession_pct": 0.0397,
          "rationale": "The seller makes a counter-offer.",
          "timestamp": "2027-01-15T12:00:00.000Z"
        }
      ]
    }
  },
  "negotiate": {
    "request": {
      "action": "counter",
      "proposal_id": "prop-0c4ebbe4",
      "buyer_price": 27
    },
    "response": {
      "negotiation_id": "neg-d7210c97",
      "status": "active",
      "rounds_remaining": 3,
      "proposal_id": "prop-0c4ebbe4",
      "quote_id": null,
      "product_id": "prod-53e78a97",
      "currency": "USD",
      "impressions": 1000000,
      "agreed_price": null,
      "approval_id": null,
      "expires_at": "2027-01-16T12:00:00.000Z",
      "revision": 2,
      "sandbox": false,
      "round": {
        "round_number": 2,
        "buyer_price": 27,
        "seller_price": 28,
        "action": "counter",
        "concession_pct": 0,
        "cumulative_concession_pct": 0.1111,
        "rationale": "The seller makes a counter-offer.",
        "timestamp": "2027-01-15T12:00:00.000Z"
      }
    }
  },
  "close_session": {
    "request": {
      "session_id": "3ee100bc-2b20-4ada-a567-a7dbc689f0f9"
    },
    "response": {
      "session_id": "3ee100bc-2b20-4ada-a567-a7dbc689f0f9",
      "status": "closed",
      "buyer_pricing_key": "agency:agency-2",
      "created_at": "2027-01-15T12:00:00.000Z",
      "updated_at": "2027-01-15T12:00:00.000Z",
      "expires_at": "2027-01-22T12:00:00.000Z"
    }
  },
  "create_session": {
    "request": {
      "buyer_identity": {
        "seat_id": "seat-9",
        "name": "N",
        "agency_id": "a-9"
      }
    },
    "response": {
      "session_id": "60fe3267-3e9d-4ce3-a649-4a51c88c3d4c",
      "status": "active",
      "buyer_pricing_key": "public",
      "created_at": "2027-01-15T12:00:00.000Z",
      "updated_at": "2027-01-15T12:00:00.000Z",
      "expires_at": "2027-01-22T12:00:00.000Z"
    }
  },
  "get_session": {
    "request": {
      "session_id": "84f26ec9-bd4a-4928-bb45-812270300955"
    },
    "response": {
      "session_id": "84f26ec9-bd4a-4928-bb45-812270300955",
      "status": "active",
      "buyer_pricing_key": "agency:agency-2",
      "created_at": "2027-01-15T12:00:00.000Z",
      "updated_at": "2027-01-15T12:00:00.000Z",
      "expires_at": "2027-01-22T12:00:00.000Z",
      "buyer_identity": {},
      "message_count": 2,
      "negotiation": {
        "stage": "pricing",
        "product_ids_discussed": [
          "prod-53e78a97"
        ],
        "last_pricing_shown": {
          "prod-53e78a97": 31.5
        },
        "pending_proposal_id": null,
        "active_deal_ids": [],
        "counter_round": 0,
        "last_intent": "pricing_inquiry",
        "negotiation_id": null
      },
      "messages": [
        {
          "role": "user",
          "content": "What is the price of prod-53e78a97 for 1000000 impressions?",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "metadata": {},
          "flow_id": null,
          "message_type": "pricing"
        },
        {
          "role": "assistant",
          "content": "CTV Premium Streaming costs $31.50 CPM. Base price: $35.00 CPM | Agency tier: -10% | Final price: $31.50 CPM | (Total savings: 10.0%). 1,000,000 impressions cost $31,500.00.",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "metadata": {},
          "flow_id": null,
          "message_type": "pricing"
        }
      ],
      "linked_flow_ids": [],
      "revision": 2
    }
  },
  "list_sessions": {
    "request": {
      "status": "active"
    },
    "response": {
      "total": 1,
      "count": 1,
      "next_cursor": null,
      "sessions": [
        {
          "session_id": "3cb8e5b7-5c62-48fc-9f0d-3d585501c7c4",
          "status": "active",
          "buyer_pricing_key": "agency:agency-2",
          "created_at": "2027-01-15T12:00:00.000Z",
          "updated_at": "2027-01-15T12:00:00.000Z",
          "expires_at": "2027-01-22T12:00:00.000Z",
          "message_count": 0,
          "negotiation_stage": "discovery"
        }
      ]
    }
  },
  "send_session_message": {
    "request": {
      "session_id": "2fcbe25d-1061-4e6f-8659-4f4b5bff1d35",
      "type": "query",
      "content": {
        "text": "What is the price?",
        "product_id": "prod-53e78a97"
      }
    },
    "response": {
      "session_id": "2fcbe25d-1061-4e6f-8659-4f4b5bff1d35",
      "text": "CTV Premium Streaming costs $31.50 CPM. Base price: $35.00 CPM | Agency tier: -10% | Final price: $31.50 CPM | (Total savings: 10.0%)",
      "type": "pricing",
      "message_count": 2,
      "negotiation_stage": "pricing",
      "answers": [
        {
          "skill": "pricing",
          "understood": {
            "product_id": "prod-53e78a97"
          },
          "outcome": "answer",
          "result": {
            "product_id": "prod-53e78a97",
            "base_price": 35,
            "final_price": 31.5,
            "currency": "USD",
            "tier_discount": 0.1,
            "volume_discount": 0,
            "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Final price: $31.50 CPM | (Total savings: 10.0%)",
            "buyer_tier": "agency"
          }
        }
      ]
    }
  },
  "book_deal": {
    "request": {
      "quote_id": "qt-2f3ee1f74c38",
      "audience_plan": {
        "schema_version": "1",
        "audience_plan_id": "",
        "primary": {
          "type": "standard",
          "identifier": "3-7",
          "taxonomy": "iab-audience",
          "version": "1.1",
          "source": "explicit"
        },
        "constraints": [
          {
            "type": "contextual",
            "identifier": "IAB1-2",
            "taxonomy": "iab-content",
            "version": "3.1",
            "source": "explicit"
          }
        ],
        "rationale": "Sports fans",
        "campaign": {
          "x": [
            1,
            null
          ]
        }
      }
    },
    "response": {
      "deal_id": "DEMO-85F51C0334B0",
      "deal_type": "PG",
      "status": "proposed",
      "status_reason": null,
      "quote_id": "qt-2f3ee1f74c38",
      "proposal_id": null,
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 10,
        "volume_discount_pct": 5,
        "final_cpm": 29.92,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings: 14.5%)"
      },
      "terms": {
        "impressions": 5000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "buyer_tier": "agency",
      "seller_id": "seller-premium-pub-001",
      "expires_at": "2027-02-14T12:00:00.000Z",
      "activation_instructions": {
        "ttd": "In The Trade Desk, add deal DEMO-85F51C0334B0 under Inventory, Private Marketplace, then target it in the ad group.",
        "dv360": "In Display & Video 360, accept deal DEMO-85F51C0334B0 in Marketplace, My inventory, then assign it to a line item.",
        "xandr": "In Xandr Invest, enter deal DEMO-85F51C0334B0 under Deals, then target it in the line item's supply settings."
      },
      "openrtb_params": {
        "id": "DEMO-85F51C0334B0",
        "bidfloor": 29.92,
        "bidfloorcur": "USD",
        "at": 1,
        "wseat": [
          "seat-2"
        ],
        "wadomain": []
      },
      "notes": null,
      "approval_id": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 1,
      "sandbox": false,
      "audience_plan_snapshot": {
        "schema_version": "1",
        "audience_plan_id": "sha256:cc87ed447e270b5d8d6a622bcfe9e98e6e6b19e525859d97035a1f74199b292e",
        "primary": {
          "type": "standard",
          "identifier": "3-7",
          "taxonomy": "iab-audience",
          "version": "1.1",
          "source": "explicit"
        },
        "constraints": [
          {
            "type": "contextual",
            "identifier": "IAB1-2",
            "taxonomy": "iab-content",
            "version": "3.1",
            "source": "explicit"
          }
        ],
        "rationale": "Sports fans",
        "campaign": {
          "x": [
            1,
            null
          ]
        }
      },
      "audience_match_summary": {
        "primary": {
          "match": "NONE",
          "score": 0.2461
        },
        "constraints": [
          {
            "match": "MODERATE",
            "score": 0.7392
          }
        ],
        "extensions": [],
        "exclusions": []
      }
    }
  },
  "generate_deal": {
    "request": {
      "proposal_id": "prop-d138ed66",
      "dsp_platform": "TTD"
    },
    "response": {
      "deal_id": "DEMO-4EF773D44E09",
      "deal_type": "PG",
      "status": "proposed",
      "status_reason": null,
      "quote_id": "",
      "proposal_id": "prop-d138ed66",
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 10,
        "volume_discount_pct": 0,
        "final_cpm": 30,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Final price: $31.50 CPM | (Total savings: 10.0%) | Agreed at $30.00 CPM (prop-d138ed66)"
      },
      "terms": {
        "impressions": 1000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "buyer_tier": "agency",
      "seller_id": "seller-premium-pub-001",
      "expires_at": "2027-02-14T12:00:00.000Z",
      "activation_instructions": {
        "ttd": "In The Trade Desk, add deal DEMO-4EF773D44E09 under Inventory, Private Marketplace, then target it in the ad group.",
        "dv360": "In Display & Video 360, accept deal DEMO-4EF773D44E09 in Marketplace, My inventory, then assign it to a line item.",
        "xandr": "In Xandr Invest, enter deal DEMO-4EF773D44E09 under Deals, then target it in the line item's supply settings.",
        "agentic": "Bid on deal DEMO-4EF773D44E09 with the parameters in openrtb_params.",
        "traditional_dsp": "In The Trade Desk, add deal DEMO-4EF773D44E09 under Inventory, Private Marketplace, then target it in the ad group."
      },
      "openrtb_params": {
        "id": "DEMO-4EF773D44E09",
        "bidfloor": 30,
        "bidfloorcur": "USD",
        "at": 1,
        "wseat": [
          "seat-2"
        ],
        "wadomain": []
      },
      "notes": null,
      "approval_id": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:ae56b8659223e35359e598e832deddbed790f029760ea363ffef2c84eafe7055",
      "revision": 1,
      "sandbox": false,
      "price": 30,
      "pricing_model": "CPM"
    }
  },
  "get_deal": {
    "request": {
      "deal_id": "DEMO-CFE96AE16C05"
    },
    "response": {
      "deal_id": "DEMO-CFE96AE16C05",
      "deal_type": "PG",
      "status": "proposed",
      "status_reason": null,
      "quote_id": "qt-61def7042e9f",
      "proposal_id": null,
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 10,
        "volume_discount_pct": 5,
        "final_cpm": 29.92,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings: 14.5%)"
      },
      "terms": {
        "impressions": 5000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "buyer_tier": "agency",
      "seller_id": "seller-premium-pub-001",
      "expires_at": "2027-02-14T12:00:00.000Z",
      "activation_instructions": {
        "ttd": "In The Trade Desk, add deal DEMO-CFE96AE16C05 under Inventory, Private Marketplace, then target it in the ad group.",
        "dv360": "In Display & Video 360, accept deal DEMO-CFE96AE16C05 in Marketplace, My inventory, then assign it to a line item.",
        "xandr": "In Xandr Invest, enter deal DEMO-CFE96AE16C05 under Deals, then target it in the line item's supply settings."
      },
      "openrtb_params": {
        "id": "DEMO-CFE96AE16C05",
        "bidfloor": 29.92,
        "bidfloorcur": "USD",
        "at": 1,
        "wseat": [
          "seat-2"
        ],
        "wadomain": []
      },
      "notes": null,
      "approval_id": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 1,
      "sandbox": false
    }
  },
  "transition_deal": {
    "request": {
      "deal_id": "DEMO-7AF8BD9CA390",
      "to_status": "rejected",
      "reason": "Brand safety"
    },
    "response": {
      "deal_id": "DEMO-7AF8BD9CA390",
      "deal_type": "PG",
      "status": "rejected",
      "status_reason": "Brand safety",
      "quote_id": "qt-601c09deb615",
      "proposal_id": null,
      "product": {
        "product_id": "prod-53e78a97",
        "name": "CTV Premium Streaming",
        "inventory_type": "ctv"
      },
      "pricing": {
        "pricing_type": "fixed",
        "base_cpm": 35,
        "tier_discount_pct": 10,
        "volume_discount_pct": 5,
        "final_cpm": 29.92,
        "currency": "USD",
        "pricing_model": "cpm",
        "rationale": "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings: 14.5%)"
      },
      "terms": {
        "impressions": 5000000,
        "flight_start": "2027-03-01",
        "flight_end": "2027-03-31",
        "guaranteed": true
      },
      "buyer_tier": "agency",
      "seller_id": "seller-premium-pub-001",
      "expires_at": "2027-02-14T12:00:00.000Z",
      "activation_instructions": {
        "ttd": "In The Trade Desk, add deal DEMO-7AF8BD9CA390 under Inventory, Private Marketplace, then target it in the ad group.",
        "dv360": "In Display & Video 360, accept deal DEMO-7AF8BD9CA390 in Marketplace, My inventory, then assign it to a line item.",
        "xandr": "In Xandr Invest, enter deal DEMO-7AF8BD9CA390 under Deals, then target it in the line item's supply settings."
      },
      "openrtb_params": {
        "id": "DEMO-7AF8BD9CA390",
        "bidfloor": 29.92,
        "bidfloorcur": "USD",
        "at": 1,
        "wseat": [
          "seat-2"
        ],
        "wadomain": []
      },
      "notes": null,
      "approval_id": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 2,
      "sandbox": false
    }
  },
  "create_order": {
    "request": {
      "deal_id": "DEMO-0A784818891B",
      "quote_id": "qt-a1aee8f58c27",
      "metadata": {
        "campaign": "Spring",
        "lines": [
          1,
          2
        ]
      }
    },
    "response": {
      "order_id": "ORD-C8B66DDAC22F",
      "status": "draft",
      "audit_log": {
        "order_id": "ORD-C8B66DDAC22F",
        "transitions": []
      },
      "deal_id": "DEMO-0A784818891B",
      "quote_id": "qt-a1aee8f58c27",
      "created_at": "2027-01-15T12:00:00.000Z",
      "metadata": {
        "campaign": "Spring",
        "lines": [
          1,
          2
        ]
      },
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 1,
      "sandbox": false
    }
  },
  "get_order": {
    "request": {
      "order_id": "ORD-19B18F360B88"
    },
    "response": {
      "order_id": "ORD-19B18F360B88",
      "status": "submitted",
      "audit_log": {
        "order_id": "ORD-19B18F360B88",
        "transitions": [
          {
            "transition_id": "96fbfccf-a381-44b8-9f94-d6416efe4e66",
            "from_status": "draft",
            "to_status": "submitted",
            "timestamp": "2027-01-15T12:00:00.000Z",
            "actor": "human:jo",
            "reason": "Order submitted for review",
            "metadata": {}
          }
        ]
      },
      "deal_id": "DEMO-ED33808F5C2C",
      "quote_id": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "metadata": {
        "a": 1
      },
      "terms_digest": "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
      "revision": 2,
      "sandbox": false
    }
  },
  "get_order_audit": {
    "request": {
      "order_id": "ORD-6D7291B11EE9",
      "from_date": "2027-01-16",
      "to_date": "2027-01-16"
    },
    "response": {
      "order_id": "ORD-6D7291B11EE9",
      "current_status": "in_progress",
      "created_at": "2027-01-15T12:00:00.000Z",
      "transitions": [
        {
          "transition_id": "258481d3-8315-47ef-8b5c-c8675a8c5423",
          "from_status": "submitted",
          "to_status": "approved",
          "timestamp": "2027-01-16T12:00:00.000Z",
          "actor": "human:jo",
          "reason": "Auto-approved (no gate)",
          "metadata": {}
        }
      ],
      "transition_count": 1,
      "change_requests": [],
      "change_request_count": 0
    }
  },
  "get_order_history": {
    "request": {
      "order_id": "ORD-15E26CFE607D"
    },
    "response": {
      "order_id": "ORD-15E26CFE607D",
      "current_status": "in_progress",
      "transitions": [
        {
          "transition_id": "4eb72233-400f-4443-a4ee-1e0506da3c73",
          "from_status": "draft",
          "to_status": "submitted",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "actor": "agent:a1",
          "reason": "Order submitted for review",
          "metadata": {}
        },
        {
          "transition_id": "af9bc10b-f337-4062-b218-8829e33b4e3e",
          "from_status": "submitted",
          "to_status": "approved",
          "timestamp": "2027-01-16T12:00:00.000Z",
          "actor": "human:jo",
          "reason": "Auto-approved (no gate)",
          "metadata": {}
        },
        {
          "transition_id": "620cd87b-b46a-4ba5-b400-ee2d4ca3a1c1",
          "from_status": "approved",
          "to_status": "in_progress",
          "timestamp": "2027-01-17T12:00:00.000Z",
          "actor": "human:joan",
          "reason": "Execution started",
          "metadata": {}
        }
      ],
      "transition_count": 3
    }
  },
  "get_order_report": {
    "request": {
      "from_date": "2027-01-16",
      "to_date": "2027-01-16"
    },
    "response": {
      "total_orders": 1,
      "status_counts": {
        "failed": 1
      },
      "total_transitions": 2,
      "avg_transitions_per_order": 2,
      "actor_type_counts": {
        "system": 1,
        "human": 0,
        "agent": 0,
        "other": 1
      },
      "change_requests": {
        "total": 2,
        "by_status": {
          "pending_approval": 1,
          "approved": 1
        }
      }
    }
  },
  "list_orders": {
    "request": {
      "status": "draft"
    },
    "response": {
      "orders": [
        {
          "order_id": "ORD-BFC2FBC8EE91",
          "status": "draft",
          "audit_log": {
            "order_id": "ORD-BFC2FBC8EE91",
            "transitions": []
          },
          "deal_id": null,
          "quote_id": null,
          "created_at": "2027-01-15T12:00:00.000Z",
          "metadata": {},
          "terms_digest": null,
          "revision": 1,
          "sandbox": false
        },
        {
          "order_id": "ORD-62920B4E6097",
          "status": "draft",
          "audit_log": {
            "order_id": "ORD-62920B4E6097",
            "transitions": []
          },
          "deal_id": null,
          "quote_id": null,
          "created_at": "2027-01-15T12:00:00.000Z",
          "metadata": {},
          "terms_digest": null,
          "revision": 1,
          "sandbox": false
        }
      ],
      "total": 2,
      "count": 2,
      "next_cursor": null
    }
  },
  "transition_order": {
    "request": {
      "order_id": "ORD-E14438A238D3",
      "to_status": "approved",
      "actor": "human:jo",
      "reason": "Looks fine",
      "metadata": {
        "ticket": "T-1"
      }
    },
    "response": {
      "order_id": "ORD-E14438A238D3",
      "status": "approved",
      "transition": {
        "transition_id": "43ba8e73-30a3-4753-8497-a6ff48adf4a0",
        "from_status": "submitted",
        "to_status": "approved",
        "timestamp": "2027-01-15T12:00:00.000Z",
        "actor": "human:jo",
        "reason": "Looks fine",
        "metadata": {
          "ticket": "T-1"
        },
        "principal": "apikey:key-4b0a7089:unknown"
      },
      "allowed_next": [
        "in_progress",
        "cancelled"
      ]
    }
  },
  "apply_change_request": {
    "request": {
      "cr_id": "CR-C88832EF8460"
    },
    "response": {
      "change_request_id": "CR-C88832EF8460",
      "status": "applied",
      "order_id": "ORD-704B820A5B2C",
      "applied_at": "2027-01-15T12:00:00.000Z"
    }
  },
  "create_change_request": {
    "request": {
      "order_id": "ORD-A0D1C485DB49",
      "change_type": "creative",
      "proposed_values": {
        "creative_url": "https://cdn.example/a.mp4"
      },
      "diffs": [
        {
          "field": "headline",
          "old_value": "Old",
          "new_value": "New"
        }
      ],
      "reason": "New season",
      "requested_by": "agent:buyer"
    },
    "response": {
      "change_request_id": "CR-A11E08C5FF66",
      "order_id": "ORD-A0D1C485DB49",
      "deal_id": "",
      "change_type": "creative",
      "severity": "minor",
      "status": "approved",
      "diffs": [
        {
          "field": "headline",
          "old_value": "Old",
          "new_value": "New"
        }
      ],
      "proposed_values": {
        "creative_url": "https://cdn.example/a.mp4"
      },
      "reason": "New season",
      "requested_by": "agent:buyer",
      "requested_at": "2027-01-15T12:00:00.000Z",
      "validation_errors": [],
      "pricing_impact": null,
      "availability_check": null,
      "approved_by": "system:auto-approve",
      "approved_at": "2027-01-15T12:00:00.000Z",
      "rejection_reason": "",
      "applied_at": "2027-01-15T12:00:00.000Z",
      "applied_by": "system",
      "rollback_snapshot": {
        "order_id": "ORD-A0D1C485DB49",
        "status": "draft",
        "deal_id": null,
        "quote_id": null,
        "metadata": {},
        "revision": 1,
        "deal_terms": null
      },
      "revision": 1
    }
  },
  "get_change_request": {
    "request": {
      "cr_id": "CR-59F4C4C5D3D6"
    },
    "response": {
      "change_request_id": "CR-59F4C4C5D3D6",
      "order_id": "ORD-5D449D4347BE",
      "deal_id": "",
      "change_type": "targeting",
      "severity": "material",
      "status": "pending_approval",
      "diffs": [],
      "proposed_values": {},
      "reason": "",
      "requested_by": "system",
      "requested_at": "2027-01-15T12:00:00.000Z",
      "validation_errors": [],
      "pricing_impact": null,
      "availability_check": null,
      "approved_by": "",
      "approved_at": null,
      "rejection_reason": "",
      "applied_at": null,
      "applied_by": "",
      "rollback_snapshot": null,
      "revision": 1
    }
  },
  "list_change_requests": {
    "request": {
      "order_id": "ORD-1F03EAB138CD",
      "status": "pending_approval"
    },
    "response": {
      "change_requests": [
        {
          "change_request_id": "CR-FA8635A06AEE",
          "order_id": "ORD-1F03EAB138CD",
          "deal_id": "",
          "change_type": "targeting",
          "severity": "material",
          "status": "pending_approval",
          "diffs": [],
          "proposed_values": {},
          "reason": "",
          "requested_by": "system",
          "requested_at": "2027-01-15T12:00:00.000Z",
          "validation_errors": [],
          "pricing_impact": null,
          "availability_check": null,
          "approved_by": "",
          "approved_at": null,
          "rejection_reason": "",
          "applied_at": null,
          "applied_by": "",
          "rollback_snapshot": null,
          "revision": 1
        }
      ],
      "total": 1,
      "count": 1,
      "next_cursor": null
    }
  },
  "review_change_request": {
    "request": {
      "cr_id": "CR-E094533514E6",
      "decision": "approve",
      "decided_by": "human:jo"
    },
    "response": {
      "change_request_id": "CR-E094533514E6",
      "order_id": "ORD-BC1C0F21B1F0",
      "deal_id": "",
      "change_type": "targeting",
      "severity": "material",
      "status": "approved",
      "diffs": [],
      "proposed_values": {
        "geo": "US"
      },
      "reason": "",
      "requested_by": "system",
      "requested_at": "2027-01-15T12:00:00.000Z",
      "validation_errors": [],
      "pricing_impact": null,
      "availability_check": null,
      "approved_by": "human:jo",
      "approved_at": "2027-01-15T12:00:00.000Z",
      "rejection_reason": "",
      "applied_at": null,
      "applied_by": "",
      "rollback_snapshot": null,
      "revision": 2,
      "requested_by_principal": "apikey:key-25ccdc03:agency-2",
      "reviewed_by_principal": "apikey:key-895e31e8:unknown",
      "applied_by_principal": null
    }
  },
  "approve_or_reject": {
    "request": {
      "approval_id": "b44992fb-3abd-4f6b-aa12-eecbcba4c0f4",
      "decision": "approve",
      "decided_by": "human:jo",
      "reason": "Known buyer"
    },
    "response": {
      "approval_id": "b44992fb-3abd-4f6b-aa12-eecbcba4c0f4",
      "decision": "approve",
      "decided_by": "human:jo",
      "decided_by_principal": "apikey:key-c36098be:unknown",
      "decided_at": "2027-01-15T12:00:00.000Z",
      "reason": "Known buyer",
      "modifications": {},
      "flow": {
        "status": "proposed",
        "deal_id": "DEMO-50F689FB8948",
        "status_reason": null
      }
    }
  },
  "get_approval": {
    "request": {
      "approval_id": "65d39e56-d713-4dd4-b221-8988e1fc91af"
    },
    "response": {
      "request": {
        "approval_id": "65d39e56-d713-4dd4-b221-8988e1fc91af",
        "event_id": "40a4f0ad-c6d5-4ecb-9d79-ac049b486e9e",
        "flow_id": "DEMO-EDE45DC4A2AA",
        "flow_type": "deal",
        "gate_name": "deal_registration",
        "proposal_id": "",
        "deal_id": "DEMO-EDE45DC4A2AA",
        "status": "pending",
        "preferred": false,
        "created_at": "2027-01-15T12:00:00.000Z",
        "expires_at": "2027-01-16T12:00:00.000Z",
        "context": {
          "deal_id": "DEMO-EDE45DC4A2AA",
          "quote_id": "qt-5e668bac176e",
          "product_id": "prod-53e78a97",
          "deal_type": "PG",
          "final_cpm": 29.92,
          "currency": "USD",
          "impressions": 5000000,
          "flight_start": "2027-03-01",
          "flight_end": "2027-03-31",
          "buyer": "agency:agency-2"
        },
        "flow_state_snapshot": {}
      },
      "response": null
    }
  },
  "list_pending_approvals": {
    "request": {},
    "response": {
      "approvals": [
        {
          "approval_id": "e04d021d-059f-4029-9dca-eca89f1a6290",
          "event_id": "69347111-c665-46a9-bb94-69eb05af16ae",
          "flow_id": "key-145aa3b5",
          "flow_type": "api_key",
          "gate_name": "api_key_registration",
          "proposal_id": "",
          "deal_id": "",
          "status": "pending",
          "preferred": false,
          "created_at": "2027-01-15T12:00:00.000Z",
          "expires_at": "2027-01-16T12:00:00.000Z",
          "context": {
            "key_id": "key-145aa3b5",
            "label": null,
            "agent_url": null,
            "identity": {
              "seat_id": "seat-9",
              "seat_name": null,
              "dsp_platform": null,
              "agency_id": null,
              "agency_name": null,
              "agency_holding_company": null,
              "advertiser_id": null,
              "advertiser_name": null
            }
          },
          "flow_state_snapshot": {}
        },
        {
          "approval_id": "74aa3841-7aaa-47c5-8d86-956b4328e379",
          "event_id": "10701269-f413-4eb5-9eae-36a7677d81ef",
          "flow_id": "DEMO-EE2B5D90479E",
          "flow_type": "deal",
          "gate_name": "deal_registration",
          "proposal_id": "",
          "deal_id": "DEMO-EE2B5D90479E",
          "status": "pending",
          "preferred": false,
          "created_at": "2027-01-15T12:00:00.000Z",
          "expires_at": "2027-01-16T12:00:00.000Z",
          "context": {
            "deal_id": "DEMO-EE2B5D90479E",
            "quote_id": "qt-2490a877604e",
            "product_id": "prod-53e78a97",
            "deal_type": "PG",
            "final_cpm": 29.92,
            "currency": "USD",
            "impressions": 5000000,
            "flight_start": "2027-03-01",
            "flight_end": "2027-03-31",
            "buyer": "agency:agency-2"
          },
          "flow_state_snapshot": {}
        }
      ],
      "total": 2,
      "count": 2,
      "next_cursor": null
    }
  },
  "resume_approval": {
    "request": {
      "approval_id": "a98570d0-b40f-42f5-8d26-adc195574612"
    },
    "response": {
      "proposal_id": "prop-0aae43ce",
      "recommendation": "counter",
      "counter_terms": {
        "price": 31
      },
      "resumed_from_approval": "a98570d0-b40f-42f5-8d26-adc195574612",
      "flow_type": "proposal",
      "flow_id": "prop-0aae43ce",
      "status": "counter_pending",
      "agreed_price": null,
      "seller_price": 31,
      "impressions": 1000000,
      "status_reason": null
    }
  },
  "get_media_kit": {
    "request": {},
    "response": {
      "seller_name": "Default Publisher",
      "total_packages": 4,
      "featured_count": 2,
      "featured": [
        {
          "package_id": "pkg-synced-mock-linear-tv-nbcu",
          "name": "NBCU Linear TV Broadcast Bundle",
          "description": "A sample of Linear TV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$32-$48 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": false,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-ctv-premium",
          "name": "CTV Premium Bundle",
          "description": "A sample of CTV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [
            "ctv",
            "premium",
            "streaming",
            "living room"
          ],
          "price_range": "$28-$42 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        }
      ],
      "all_packages": [
        {
          "package_id": "pkg-synced-mock-linear-tv-nbcu",
          "name": "NBCU Linear TV Broadcast Bundle",
          "description": "A sample of Linear TV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$32-$48 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": false,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-ctv-premium",
          "name": "CTV Premium Bundle",
          "description": "A sample of CTV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [
            "ctv",
            "premium",
            "streaming",
            "living room"
          ],
          "price_range": "$28-$42 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-video-suite",
          "name": "Video Suite",
          "description": "A sample of Video inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "cat": [
            "IAB1"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$20-$30 CPM",
          "rate_type": "cpm",
          "is_featured": false,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-display-network",
          "name": "Display Network Bundle",
          "description": "A sample of Display inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "banner"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "cat": [
            "IAB1",
            "IAB3",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$10-$14 CPM",
          "rate_type": "cpm",
          "is_featured": false,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        }
      ],
      "total": 4,
      "count": 4,
      "next_cursor": null
    }
  },
  "get_media_kit_package": {
    "request": {
      "package_id": "pkg-synced-mock-ctv-premium"
    },
    "response": {
      "package_id": "pkg-synced-mock-ctv-premium",
      "name": "CTV Premium Bundle",
      "description": "A sample of CTV inventory, for a seller without an ad server.",
      "layer": "synced",
      "ad_formats": [
        "video"
      ],
      "device_types": [
        3,
        7
      ],
      "cat": [
        "IAB1",
        "IAB19"
      ],
      "cattax": 2,
      "geo_targets": [],
      "tags": [
        "ctv",
        "premium",
        "streaming",
        "living room"
      ],
      "price_range": "$28-$42 CPM",
      "rate_type": "cpm",
      "is_featured": true,
      "audience_capabilities": {
        "standard_taxonomy_version": "1.1",
        "contextual_taxonomy_version": "3.1",
        "supports_standard": true,
        "supports_contextual": false,
        "supports_agentic": false
      }
    }
  },
  "list_media_kit_packages": {
    "request": {
      "layer": "curated"
    },
    "response": {
      "packages": [
        {
          "package_id": "pkg-66dec6a7",
          "name": "Sports Weekend",
          "description": "Live sports on every screen.",
          "layer": "curated",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            2,
            3,
            4,
            5,
            7
          ],
          "cat": [
            "IAB17"
          ],
          "cattax": 2,
          "geo_targets": [
            "US"
          ],
          "tags": [
            "sports",
            "live"
          ],
          "price_range": "$24-$36 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        }
      ],
      "total": 1,
      "count": 1,
      "next_cursor": null
    }
  },
  "search_media_kit": {
    "request": {
      "query": "Premium CTV iab1 premium",
      "buyer_tier": "advertiser",
      "agency_id": "a",
      "advertiser_id": "b"
    },
    "response": {
      "results": [
        {
          "package_id": "pkg-synced-mock-ctv-premium",
          "name": "CTV Premium Bundle",
          "description": "A sample of CTV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [
            "ctv",
            "premium",
            "streaming",
            "living room"
          ],
          "price_range": "$28-$42 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-da6c6936",
          "name": "Sports Weekend",
          "description": "Live sports on every screen.",
          "layer": "curated",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            2,
            3,
            4,
            5,
            7
          ],
          "cat": [
            "IAB17"
          ],
          "cattax": 2,
          "geo_targets": [
            "US"
          ],
          "tags": [
            "sports",
            "live"
          ],
          "price_range": "$24-$36 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-linear-tv-nbcu",
          "name": "NBCU Linear TV Broadcast Bundle",
          "description": "A sample of Linear TV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$32-$48 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": false,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-video-suite",
          "name": "Video Suite",
          "description": "A sample of Video inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "cat": [
            "IAB1"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$20-$30 CPM",
          "rate_type": "cpm",
          "is_featured": false,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        },
        {
          "package_id": "pkg-synced-mock-display-network",
          "name": "Display Network Bundle",
          "description": "A sample of Display inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "banner"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "cat": [
            "IAB1",
            "IAB3",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$10-$14 CPM",
          "rate_type": "cpm",
          "is_featured": false,
          "audience_capabilities": {
            "standard_taxonomy_version": "1.1",
            "contextual_taxonomy_version": "3.1",
            "supports_standard": true,
            "supports_contextual": false,
            "supports_agentic": false
          }
        }
      ],
      "total": 5,
      "count": 5
    }
  },
  "archive_package": {
    "request": {
      "package_id": "pkg-ef1038ba"
    },
    "response": {
      "package_id": "pkg-ef1038ba",
      "status": "archived"
    }
  },
  "assemble_package": {
    "request": {
      "name": "Screens",
      "product_ids": [
        "prod-53e78a97",
        "prod-91ddc363",
        "prod-f114d7a7"
      ]
    },
    "response": {
      "package_id": "pkg-bb642e29",
      "description": "Dynamic package: CTV Premium Streaming, Premium Display - Homepage, Digital Out-of-Home — Times Square Spectacular",
      "status": "active",
      "cat": [],
      "cattax": 2,
      "audience_capabilities": {
        "standard_segment_ids": [],
        "standard_taxonomy_version": "1.1",
        "contextual_segment_ids": [],
        "contextual_taxonomy_version": "3.1",
        "agentic_capabilities": null
      },
      "geo_targets": [],
      "pricing_type": "fixed",
      "rate_type": "cpm",
      "tags": [],
      "is_featured": false,
      "seasonal_label": null,
      "ad_server_source": null,
      "inventory_type": null,
      "revision": 1,
      "name": "Screens",
      "layer": "dynamic",
      "ad_formats": [
        "banner",
        "video"
      ],
      "device_types": [
        2,
        3,
        4,
        5,
        7
      ],
      "currency": "USD",
      "placements": [
        {
          "product_id": "prod-53e78a97",
          "product_name": "CTV Premium Streaming",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "weight": 1
        },
        {
          "product_id": "prod-91ddc363",
          "product_name": "Premium Display - Homepage",
          "ad_formats": [
            "banner"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "weight": 1
        },
        {
          "product_id": "prod-f114d7a7",
          "product_name": "Digital Out-of-Home — Times Square Spectacular",
          "ad_formats": [
            "banner"
          ],
          "device_types": [
            2
          ],
          "weight": 1
        }
      ],
      "audience_segment_ids": [],
      "base_price": 25,
      "floor_price": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "updated_at": null
    }
  },
  "create_package": {
    "request": {
      "name": "Sports Weekend",
      "base_price": 30,
      "floor_price": 22.5,
      "description": "Live sports on every screen.",
      "product_ids": [
        "prod-53e78a97",
        "prod-15ba2543"
      ],
      "cat": [
        "IAB17"
      ],
      "tags": [
        "sports",
        "live"
      ],
      "geo_targets": [
        "US"
      ],
      "audience_segment_ids": [
        "3",
        "243"
      ],
      "is_featured": true
    },
    "response": {
      "package_id": "pkg-e3dca358",
      "description": "Live sports on every screen.",
      "status": "active",
      "cat": [
        "IAB17"
      ],
      "cattax": 2,
      "audience_capabilities": {
        "standard_segment_ids": [
          "3",
          "243"
        ],
        "standard_taxonomy_version": "1.1",
        "contextual_segment_ids": [],
        "contextual_taxonomy_version": "3.1",
        "agentic_capabilities": null
      },
      "geo_targets": [
        "US"
      ],
      "pricing_type": "fixed",
      "rate_type": "cpm",
      "tags": [
        "sports",
        "live"
      ],
      "is_featured": true,
      "seasonal_label": null,
      "ad_server_source": null,
      "inventory_type": null,
      "revision": 1,
      "name": "Sports Weekend",
      "layer": "curated",
      "ad_formats": [
        "video"
      ],
      "device_types": [
        2,
        3,
        4,
        5,
        7
      ],
      "currency": "USD",
      "placements": [
        {
          "product_id": "prod-53e78a97",
          "product_name": "CTV Premium Streaming",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "weight": 1
        },
        {
          "product_id": "prod-15ba2543",
          "product_name": "Pre-Roll Video",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "weight": 1
        }
      ],
      "audience_segment_ids": [
        "3",
        "243"
      ],
      "base_price": 30,
      "floor_price": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "updated_at": null
    }
  },
  "get_package": {
    "request": {
      "package_id": "pkg-69d998ca",
      "buyer_tier": "advertiser",
      "agency_id": "a",
      "advertiser_id": "b"
    },
    "response": {
      "package_id": "pkg-69d998ca",
      "name": "Sports Weekend",
      "description": "Live sports on every screen.",
      "layer": "curated",
      "ad_formats": [
        "video"
      ],
      "device_types": [
        2,
        3,
        4,
        5,
        7
      ],
      "cat": [
        "IAB17"
      ],
      "cattax": 2,
      "geo_targets": [
        "US"
      ],
      "tags": [
        "sports",
        "live"
      ],
      "price_range": "$24-$36 CPM",
      "rate_type": "cpm",
      "is_featured": true,
      "audience_capabilities": {
        "standard_taxonomy_version": "1.1",
        "contextual_taxonomy_version": "3.1",
        "supports_standard": true,
        "supports_contextual": false,
        "supports_agentic": false
      }
    }
  },
  "list_packages": {
    "request": {
      "layer": "synced",
      "featured_only": true
    },
    "response": {
      "packages": [
        {
          "package_id": "pkg-synced-mock-linear-tv-nbcu",
          "name": "NBCU Linear TV Broadcast Bundle",
          "description": "A sample of Linear TV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [],
          "price_range": "$34 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_segment_ids": [],
            "standard_taxonomy_version": "1.1",
            "contextual_segment_ids": [],
            "contextual_taxonomy_version": "3.1",
            "agentic_capabilities": null
          },
          "exact_price": 34,
          "floor_price": null,
          "currency": "USD",
          "placements": [],
          "audience_segment_ids": [],
          "negotiation_enabled": true,
          "volume_discounts_available": true
        },
        {
          "package_id": "pkg-synced-mock-ctv-premium",
          "name": "CTV Premium Bundle",
          "description": "A sample of CTV inventory, for a seller without an ad server.",
          "layer": "synced",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "cat": [
            "IAB1",
            "IAB19"
          ],
          "cattax": 2,
          "geo_targets": [],
          "tags": [
            "ctv",
            "premium",
            "streaming",
            "living room"
          ],
          "price_range": "$30 CPM",
          "rate_type": "cpm",
          "is_featured": true,
          "audience_capabilities": {
            "standard_segment_ids": [
              "3",
              "4",
              "5",
              "6",
              "7",
              "8"
            ],
            "standard_taxonomy_version": "1.1",
            "contextual_segment_ids": [],
            "contextual_taxonomy_version": "3.1",
            "agentic_capabilities": null
          },
          "exact_price": 29.75,
          "floor_price": null,
          "currency": "USD",
          "placements": [],
          "audience_segment_ids": [
            "3",
            "4",
            "5",
            "6",
            "7",
            "8"
          ],
          "negotiation_enabled": true,
          "volume_discounts_available": true
        }
      ],
      "total": 2,
      "count": 2,
      "next_cursor": null
    }
  },
  "sync_packages": {
    "request": {},
    "response": {
      "status": "synced",
      "source": "csv",
      "synced_packages": [
        "pkg-synced-csv-ctv",
        "pkg-synced-csv-display",
        "pkg-synced-csv-native"
      ],
      "created": 3,
      "updated": 0,
      "removed": 0,
      "unchanged": 0,
      "warnings": []
    }
  },
  "update_package": {
    "request": {
      "package_id": "pkg-917bb134",
      "base_price": 40,
      "tags": [
        "finals"
      ],
      "is_featured": false,
      "seasonal_label": "Spring",
      "audience_segment_ids": [
        "9"
      ]
    },
    "response": {
      "package_id": "pkg-917bb134",
      "description": "Live sports on every screen.",
      "status": "active",
      "cat": [
        "IAB17"
      ],
      "cattax": 2,
      "audience_capabilities": {
        "standard_segment_ids": [
          "9"
        ],
        "standard_taxonomy_version": "1.1",
        "contextual_segment_ids": [],
        "contextual_taxonomy_version": "3.1",
        "agentic_capabilities": null
      },
      "geo_targets": [
        "US"
      ],
      "pricing_type": "fixed",
      "rate_type": "cpm",
      "tags": [
        "finals"
      ],
      "is_featured": false,
      "seasonal_label": "Spring",
      "ad_server_source": null,
      "inventory_type": null,
      "revision": 2,
      "name": "Sports Weekend",
      "layer": "curated",
      "ad_formats": [
        "video"
      ],
      "device_types": [
        2,
        3,
        4,
        5,
        7
      ],
      "currency": "USD",
      "placements": [
        {
          "product_id": "prod-53e78a97",
          "product_name": "CTV Premium Streaming",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            3,
            7
          ],
          "weight": 1
        },
        {
          "product_id": "prod-15ba2543",
          "product_name": "Pre-Roll Video",
          "ad_formats": [
            "video"
          ],
          "device_types": [
            2,
            4,
            5
          ],
          "weight": 1
        }
      ],
      "audience_segment_ids": [
        "9"
      ],
      "base_price": 40,
      "floor_price": null,
      "created_at": "2027-01-15T12:00:00.000Z",
      "updated_at": "2027-01-15T12:00:00.000Z"
    }
  },
  "get_rate_card": {
    "request": {},
    "response": {
      "entries": [
        {
          "inventory_type": "display",
          "currency": "USD",
          "effective_date": null,
          "notes": null,
          "base_cpm": 12,
          "price_range": null
        },
        {
          "inventory_type": "video",
          "currency": "USD",
          "effective_date": null,
          "notes": null,
          "base_cpm": 25,
          "price_range": null
        },
        {
          "inventory_type": "ctv",
          "currency": "USD",
          "effective_date": null,
          "notes": null,
          "base_cpm": 35,
          "price_range": null
        },
        {
          "inventory_type": "mobile_app",
          "currency": "USD",
          "effective_date": null,
          "notes": null,
          "base_cpm": 18,
          "price_range": null
        },
        {
          "inventory_type": "native",
          "currency": "USD",
          "effective_date": null,
          "notes": null,
          "base_cpm": 10,
          "price_range": null
        },
        {
          "inventory_type": "audio",
          "currency": "USD",
          "effective_date": null,
          "notes": null,
          "base_cpm": 15,
          "price_range": null
        }
      ],
      "updated_at": "default"
    }
  },
  "update_rate_card": {
    "request": {
      "entries": [
        {
          "inventory_type": "ctv",
          "base_cpm": 40.5,
          "notes": "Upfront"
        },
        {
          "inventory_type": "ctv",
          "base_cpm": 50,
          "effective_date": "2027-02-01"
        },
        {
          "inventory_type": "native",
          "base_cpm": 9,
          "currency": "EUR",
          "effective_date": "2027-01-15"
        }
      ]
    },
    "response": {
      "entries": [
        {
          "inventory_type": "ctv",
          "currency": "USD",
          "notes": "Upfront",
          "effective_date": null,
          "base_cpm": 40.5,
          "price_range": null
        },
        {
          "inventory_type": "ctv",
          "currency": "USD",
          "effective_date": "2027-02-01",
          "notes": null,
          "base_cpm": 50,
          "price_range": null
        },
        {
          "inventory_type": "native",
          "currency": "EUR",
          "effective_date": "2027-01-15",
          "notes": null,
          "base_cpm": 9,
          "price_range": null
        }
      ],
      "updated_at": "2027-01-15T12:00:00.000Z"
    }
  },
  "get_setup_status": {
    "request": {},
    "response": {
      "publisher_identity": {
        "configured": true,
        "name": "Evening Post"
      },
      "ad_server": {
        "configured": true,
        "type": "csv"
      },
      "ssp_connectors": {
        "configured": false
      },
      "media_kit": {
        "configured": true,
        "package_count": 3
      },
      "pricing": {
        "floor_cpm": 1,
        "currency": "USD"
      },
      "approval_gates": {
        "enabled": false,
        "flows": []
      },
      "setup_complete": true,
      "message": "Everything is set up."
    }
  },
  "get_supply_chain": {
    "request": {},
    "response": {
      "seller_id": "seller-premium-pub-001",
      "seller_name": "Default Publisher",
      "seller_type": "PUBLISHER",
      "domain": "localhost",
      "is_direct": true,
      "supported_deal_types": [
        "programmatic_guaranteed",
        "preferred_deal",
        "private_auction"
      ],
      "schain": [
        {
          "asi": "localhost",
          "sid": "seller-premium-pub-001",
          "name": "Default Publisher",
          "domain": "localhost",
          "seller_type": "PUBLISHER",
          "is_direct": true
        }
      ],
      "version": "1.0"
    }
  },
  "get_sync_status": {
    "request": {},
    "response": {
      "enabled": false,
      "interval_minutes": 60,
      "source": "csv",
      "last_sync": "2027-01-15T12:00:00.000Z",
      "watermark": "2027-01-12T08:00:00.000Z",
      "items_synced": 3
    }
  },
  "health_check": {
    "request": {},
    "response": {
      "status": "healthy",
      "checks": {
        "storage": "ok",
        "ad_server": "not_configured",
        "ssp_connectors": "not_configured"
      }
    }
  },
  "create_api_key": {
    "request": {
      "seat_id": "seat-7",
      "agency_id": "agency-7",
      "advertiser_id": "advertiser-7",
      "label": "Seven"
    },
    "response": {
      "key_id": "key-25d48bfc",
      "api_key": "ask_live_...",
      "seat_id": "seat-7",
      "agency_id": "agency-7",
      "advertiser_id": "advertiser-7",
      "label": "Seven",
      "created_at": "2027-01-15T12:00:00.000Z",
      "expires_at": null,
      "role": "buyer",
      "verified": false,
      "approval_id": "8e29aa0e-7529-4991-b21c-7e5f975c1bc5",
      "agent_url": null,
      "warning": "Store this key securely. It will not be shown again.",
      "identity": {
        "seat_id": "seat-7",
        "seat_name": null,
        "dsp_platform": null,
        "agency_id": "agency-7",
        "agency_name": null,
        "agency_holding_company": null,
        "advertiser_id": "advertiser-7",
        "advertiser_name": null,
        "advertiser_industry": null,
        "campaign_id": null,
        "campaign_name": null
      }
    }
  },
  "create_operator_key": {
    "request": {
      "label": "Night shift"
    },
    "response": {
      "key_id": "key-cf76f6fe",
      "api_key": "ask_live_...",
      "seat_id": null,
      "agency_id": null,
      "advertiser_id": null,
      "label": "Night shift",
      "created_at": "2027-01-15T12:00:00.000Z",
      "expires_at": null,
      "role": "operator",
      "verified": true,
      "approval_id": null,
      "agent_url": null,
      "warning": "Store this key securely. It will not be shown again.",
      "identity": {
        "seat_id": null,
        "seat_name": null,
        "dsp_platform": null,
        "agency_id": null,
        "agency_name": null,
        "agency_holding_company": null,
        "advertiser_id": null,
        "advertiser_name": null,
        "advertiser_industry": null,
        "campaign_id": null,
        "campaign_name": null
      }
    }
  },
  "get_api_key": {
    "request": {
      "key_id": "key-5c68da2b"
    },
    "response": {
      "key_id": "key-5c68da2b",
      "seat_id": "seat-7",
      "agency_id": "agency-7",
      "advertiser_id": "advertiser-7",
      "label": "Seven",
      "created_at": "2027-01-15T12:00:00.000Z",
      "expires_at": null,
      "is_active": true,
      "last_used_at": "2027-01-15T12:00:00.000Z",
      "use_count": 1,
      "role": "buyer",
      "verified": true,
      "revoked": false,
      "key_prefix_hint": "ask_live_...",
      "agent_url": null,
      "approval_id": null,
      "identity": {
        "seat_id": "seat-7",
        "seat_name": null,
        "dsp_platform": null,
        "agency_id": "agency-7",
        "agency_name": null,
        "agency_holding_company": null,
        "advertiser_id": "advertiser-7",
        "advertiser_name": null,
        "advertiser_industry": null,
        "campaign_id": null,
        "campaign_name": null
      }
    }
  },
  "list_api_keys": {
    "request": {
      "limit": 2
    },
    "response": {
      "keys": [
        {
          "key_id": "key-0c14e4fb",
          "seat_id": "seat-1",
          "agency_id": null,
          "advertiser_id": null,
          "label": null,
          "created_at": "2027-01-15T12:00:00.000Z",
          "expires_at": null,
          "is_active": true,
          "last_used_at": null,
          "use_count": 0,
          "role": "buyer",
          "verified": true,
          "revoked": false,
          "key_prefix_hint": "ask_live_...",
          "agent_url": null,
          "approval_id": null,
          "identity": {
            "seat_id": "seat-1",
            "seat_name": null,
            "dsp_platform": null,
            "agency_id": null,
            "agency_name": null,
            "agency_holding_company": null,
            "advertiser_id": null,
            "advertiser_name": null,
            "advertiser_industry": null,
            "campaign_id": null,
            "campaign_name": null
          }
        },
        {
          "key_id": "key-cfd4a1d8",
          "seat_id": "seat-2",
          "agency_id": "agency-2",
          "advertiser_id": null,
          "label": null,
          "created_at": "2027-01-15T12:00:00.000Z",
          "expires_at": null,
          "is_active": true,
          "last_used_at": null,
          "use_count": 0,
          "role": "buyer",
          "verified": true,
          "revoked": false,
          "key_prefix_hint": "ask_live_...",
          "agent_url": null,
          "approval_id": null,
          "identity": {
            "seat_id": "seat-2",
            "seat_name": null,
            "dsp_platform": null,
            "agency_id": "agency-2",
            "agency_name": null,
            "agency_holding_company": null,
            "advertiser_id": null,
            "advertiser_name": null,
            "advertiser_industry": null,
            "campaign_id": null,
            "campaign_name": null
          }
        }
      ],
      "total": 7,
      "count": 2,
      "next_cursor": "3"
    }
  },
  "revoke_api_key": {
    "request": {
      "key_id": "key-06c2a8b4"
    },
    "response": {
      "key_id": "key-06c2a8b4",
      "status": "revoked"
    }
  },
  "get_buyer_agent": {
    "request": {
      "agent_id": "agent-ea260a46"
    },
    "response": {
      "agent_id": "agent-ea260a46",
      "agent_url": "http://buyer.agents.example",
      "agent_card": {
        "name": "Agent at buyer.agents.example",
        "description": "Buys advertising.",
        "url": "http://buyer.agents.example",
        "version": "2.1.0",
        "provider": null,
        "capabilities": {
          "protocols": [
            "a2a"
          ],
          "streaming": false,
          "push_notifications": false
        },
        "skills": [
          {
            "id": "buy",
            "name": "Buy",
            "description": "Buys.",
            "tags": [
              "ctv"
            ]
          }
        ],
        "authentication": {
          "schemes": [
            "api_key"
          ]
        },
        "inventory_types": [],
        "supported_deal_types": []
      },
      "agent_type": "buyer",
      "trust_status": "approved",
      "registry_sources": [],
      "registered_at": "2027-01-15T12:00:00.000Z",
      "last_seen": "2027-01-15T12:00:00.000Z",
      "interaction_count": 1,
      "notes": "pays late",
      "custom_prices": []
    }
  },
  "list_buyer_agents": {
    "request": {},
    "response": {
      "agents": [
        {
          "agent_id": "agent-8d0603ff",
          "agent_url": "http://stranger.agents.example",
          "agent_card": {
            "name": "Agent at stranger.agents.example",
            "description": "Buys advertising.",
            "url": "http://stranger.agents.example",
            "version": "2.1.0",
            "provider": null,
            "capabilities": {
              "protocols": [
                "a2a"
              ],
              "streaming": false,
              "push_notifications": false
            },
            "skills": [
              {
                "id": "buy",
                "name": "Buy",
                "description": "Buys.",
                "tags": [
                  "ctv"
                ]
              }
            ],
            "authentication": {
              "schemes": [
                "api_key"
              ]
            },
            "inventory_types": [],
            "supported_deal_types": []
          },
          "agent_type": "buyer",
          "trust_status": "unknown",
          "registry_sources": [],
          "registered_at": "2027-01-15T12:00:00.000Z",
          "last_seen": "2027-01-15T12:00:00.000Z",
          "interaction_count": 1,
          "notes": null,
          "custom_prices": []
        },
        {
          "agent_id": "agent-e296b0b5",
          "agent_url": "http://buyer.agents.example",
          "agent_card": {
            "name": "Agent at buyer.agents.example",
            "description": "Buys advertising.",
            "url": "http://buyer.agents.example",
            "version": "2.1.0",
            "provider": null,
            "capabilities": {
              "protocols": [
                "a2a"
              ],
              "streaming": false,
              "push_notifications": false
            },
            "skills": [
              {
                "id": "buy",
                "name": "Buy",
                "description": "Buys.",
                "tags": [
                  "ctv"
                ]
              }
            ],
            "authentication": {
              "schemes": [
                "api_key"
              ]
            },
            "inventory_types": [],
            "supported_deal_types": []
          },
          "agent_type": "buyer",
          "trust_status": "registered",
          "registry_sources": [
            {
              "registry_id": "registry-example-03899e20",
              "registry_name": "registry.example",
              "registry_url": "http://registry.example",
              "external_agent_id": "ext-7",
              "verified_at": "2027-01-15T12:00:00.000Z"
            }
          ],
          "registered_at": "2027-01-15T12:00:00.000Z",
          "last_seen": "2027-01-15T12:00:00.000Z",
          "interaction_count": 1,
          "notes": null,
          "custom_prices": []
        }
      ],
      "total": 2,
      "count": 2,
      "next_cursor": null
    }
  },
  "register_buyer_agent": {
    "request": {
      "agent_url": "http://stranger.agents.example"
    },
    "response": {
      "agent": {
        "agent_id": "agent-5ba0bf99",
        "agent_url": "http://stranger.agents.example",
        "agent_card": {
          "name": "Agent at stranger.agents.example",
          "description": "Buys advertising.",
          "url": "http://stranger.agents.example",
          "version": "2.1.0",
          "provider": null,
          "capabilities": {
            "protocols": [
              "a2a"
            ],
            "streaming": false,
            "push_notifications": false
          },
          "skills": [
            {
              "id": "buy",
              "name": "Buy",
              "description": "Buys.",
              "tags": [
                "ctv"
              ]
            }
          ],
          "authentication": {
            "schemes": [
              "api_key"
            ]
          },
          "inventory_types": [],
          "supported_deal_types": []
        },
        "agent_type": "buyer",
        "trust_status": "unknown",
        "registry_sources": [],
        "registered_at": "2027-01-15T12:00:00.000Z",
        "last_seen": "2027-01-15T12:00:00.000Z",
        "interaction_count": 1,
        "notes": null,
        "custom_prices": []
      },
      "max_access_tier": "public",
      "is_blocked": false
    }
  },
  "remove_buyer_agent": {
    "request": {
      "agent_id": "agent-e626810b"
    },
    "response": {
      "agent_id": "agent-e626810b",
      "status": "removed"
    }
  },
  "set_agent_trust": {
    "request": {
      "agent_id": "agent-8e91419d",
      "trust_status": "preferred",
      "custom_prices": [
        {
          "product_id": "prod-53e78a97",
          "cpm": 29
        }
      ]
    },
    "response": {
      "agent_id": "agent-8e91419d",
      "trust_status": "preferred",
      "max_access_tier": "advertiser",
      "notes": null,
      "custom_prices": [
        {
          "product_id": "prod-53e78a97",
          "cpm": 29
        }
      ]
    }
  },
  "get_event": {
    "request": {
      "event_id": "07a41c05-92c5-4ac0-82e4-92f2c97c16a8"
    },
    "response": {
      "event_id": "07a41c05-92c5-4ac0-82e4-92f2c97c16a8",
      "event_type": "quote.created",
      "timestamp": "2027-01-15T12:00:00.000Z",
      "flow_id": "qt-cc1ccf61014b",
      "flow_type": "quote",
      "proposal_id": "",
      "deal_id": "",
      "session_id": "",
      "payload": {
        "quote_id": "qt-cc1ccf61014b",
        "product_id": "prod-53e78a97",
        "deal_type": "PG",
        "final_cpm": 29.92,
        "currency": "USD",
        "impressions": 5000000,
        "status": "available"
      },
      "metadata": {}
    }
  },
  "list_events": {
    "request": {
      "limit": 4
    },
    "response": {
      "events": [
        {
          "event_id": "2624a946-b7b1-4681-a459-7cc7283de20e",
          "event_type": "deal.created",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "flow_id": "qt-03f1e90f9409",
          "flow_type": "deal",
          "proposal_id": "",
          "deal_id": "DEMO-247409B3BE56",
          "session_id": "",
          "payload": {
            "deal_id": "DEMO-247409B3BE56",
            "quote_id": "qt-03f1e90f9409",
            "product_id": "prod-53e78a97",
            "deal_type": "PG",
            "final_cpm": 29.92,
            "currency": "USD",
            "impressions": 5000000,
            "status": "proposed",
            "status_reason": null
          },
          "metadata": {}
        },
        {
          "event_id": "02e1a928-12a3-4d3a-b5f6-e5eebb6ec370",
          "event_type": "quote.booked",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "flow_id": "qt-03f1e90f9409",
          "flow_type": "quote",
          "proposal_id": "",
          "deal_id": "",
          "session_id": "",
          "payload": {
            "quote_id": "qt-03f1e90f9409",
            "product_id": "prod-53e78a97",
            "deal_type": "PG",
            "final_cpm": 29.92,
            "currency": "USD",
            "impressions": 5000000,
            "status": "booked"
          },
          "metadata": {}
        },
        {
          "event_id": "ce266e91-6077-4472-a1c5-9b4c304d8cbf",
          "event_type": "quote.created",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "flow_id": "qt-aaf8507ba540",
          "flow_type": "quote",
          "proposal_id": "",
          "deal_id": "",
          "session_id": "",
          "payload": {
            "quote_id": "qt-aaf8507ba540",
            "product_id": "prod-53e78a97",
            "deal_type": "PG",
            "final_cpm": 29.92,
            "currency": "USD",
            "impressions": 5000000,
            "status": "available"
          },
          "metadata": {}
        },
        {
          "event_id": "8ce2f3c7-81f4-4235-a0cc-235b284c9184",
          "event_type": "quote.created",
          "timestamp": "2027-01-15T12:00:00.000Z",
          "flow_id": "qt-03f1e90f9409",
          "flow_type": "quote",
          "proposal_id": "",
          "deal_id": "",
          "session_id": "",
          "payload": {
            "quote_id": "qt-03f1e90f9409",
            "product_id": "prod-53e78a97",
            "deal_type": "PG",
            "final_cpm": 29.92,
            "currency": "USD",
            "impressions": 5000000,
            "status": "available"
          },
          "metadata": {}
        }
      ],
      "total": 11,
      "count": 4,
      "next_cursor": "18"
    }
  },
  "create_webhook": {
    "request": {
      "url": "https://hooks.example/parley",
      "event_types": [
        "quote.created",
        "deal.created",
        "quote.created"
      ]
    },
    "response": {
      "webhook_id": "wh-8e066b04ba8d",
      "url": "https://hooks.example/parley",
      "event_types": [
        "quote.created",
        "deal.created"
      ],
      "created_at": "2027-01-15T12:00:00.000Z",
      "secret": "whsec_..."
    }
  },
  "delete_webhook": {
    "request": {
      "webhook_id": "wh-91d14faa3bdf"
    },
    "response": {
      "webhook_id": "wh-91d14faa3bdf",
      "status": "deleted"
    }
  },
  "get_webhook": {
    "request": {
      "webhook_id": "wh-52422a789d08"
    },
    "response": {
      "webhook_id": "wh-52422a789d08",
      "url": "https://hooks.example/parley",
      "event_types": [
        "quote.created"
      ],
      "created_at": "2027-01-15T12:00:00.000Z"
    }
  },
  "list_webhook_deliveries": {
    "request": {
      "webhook_id": "wh-a22253e67119",
      "status": "pending"
    },
    "response": {
      "deliveries": [
        {
          "delivery_id": "whd-b1dc2981bc5691c4daf31dd7",
          "webhook_id": "wh-a22253e67119",
          "event_id": "367ff2c6-7a3d-4a67-91e8-fbc9829135c9",
          "event_type": "quote.created",
          "status": "pending",
          "attempts": 0,
          "next_attempt_at": "2027-01-15T12:00:00.000Z",
          "last_status": null,
          "last_error": null,
          "created_at": "2027-01-15T12:00:00.000Z"
        }
      ],
      "total": 1,
      "count": 1,
      "next_cursor": null
    }
  },
  "list_webhooks": {
    "request": {},
    "response": {
      "webhooks": [
        {
          "webhook_id": "wh-227809e149ff",
          "url": "https://hooks.example/parley",
          "event_types": [
            "quote.created"
          ],
          "created_at": "2027-01-15T12:00:00.000Z"
        },
        {
          "webhook_id": "wh-a2848efd43e9",
          "url": "https://hooks.example/parley",
          "event_types": [
            "quote.created"
          ],
          "created_at": "2027-01-15T12:00:00.000Z"
        }
      ],
      "total": 2,
      "count": 2,
      "next_cursor": null
    }
  },
  "replay_webhook_delivery": {
    "request": {
      "webhook_id": "wh-35aff468bd17",
      "delivery_id": "whd-8f0af5a0125b99ff18d4eb72"
    },
    "response": {
      "delivery_id": "whd-8f0af5a0125b99ff18d4eb72",
      "webhook_id": "wh-35aff468bd17",
      "event_id": "9f380feb-b340-4096-b0b9-120232ab5f37",
      "event_type": "quote.created",
      "status": "pending",
      "attempts": 0,
      "next_attempt_at": "2027-01-15T12:00:00.000Z",
      "last_status": null,
      "last_error": null,
      "created_at": "2027-01-15T12:00:00.000Z"
    }
  }
};
